import { callOf, type ToolCallCase } from '../tool-call-case.js';

const call = callOf('get_weather', { city: 'Paris' });
const json = '{"name": "get_weather", "arguments": {"city": "Paris"}}';
const calls = [['get_weather', '{"city":"Paris"}']] as const;

/** Tokens that end a turn. */
const ENDS = [
  ...['<|im_end|>', '</s>', '<|eot_id|>', '<|end_of_text|>', '<|endoftext|>', '<end_of_turn>', '<seed:eos>'],
  ...['[e~[', '<|END_OF_TURN_TOKEN|>'],
];

/** Beginnings of what a tool or a caller would say. */
const OTHERS = [
  ...['<|observation|>\n18 degrees', '<|user|>\nThanks', '<|im_end|>\n<|im_start|>user\n<tool_response>18'],
  ...[
    '<|eot_id|><|start_header_id|>ipython<|end_header_id|>\n\n18',
    '<end_of_turn>\n<start_of_turn>user\n18',
  ],
  ...['<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>18', '[TOOL_RESULTS]18[/TOOL_RESULTS]'],
];

/** What stands between the turns of a transcript. */
export const turns: readonly ToolCallCase[] = [
  ...ENDS.flatMap((end): ToolCallCase[] => [
    { name: `${end} behind a call in tags`, upstream: `Look.\n${call}${end}`, text: 'Look.', calls },
    { name: `${end} behind a call of Mistral`, upstream: `[TOOL_CALLS][${json}]${end}\n`, calls },
    {
      name: `${end} in a sentence`,
      upstream: `A turn ends with ${end}, always.`,
      text: `A turn ends with ${end}, always.`,
    },
  ]),
  ...OTHERS.flatMap((turn): ToolCallCase[] => [
    {
      name: `${JSON.stringify(turn)} behind a call`,
      upstream: `${call}\n${turn}\nIt is mild in Paris.`,
      calls,
      notes: ['Cut off what the upstream wrote as if its call had been answered.'],
    },
    { name: `${JSON.stringify(turn)} in a text`, upstream: `So: ${turn}\nend`, text: `So: ${turn}\nend` },
  ]),
  {
    name: 'a message with its calls',
    upstream: `{"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": ${json}}]}`,
    calls,
  },
  {
    name: 'a message without calls',
    upstream: '{"role": "assistant", "content": "Hello"}',
    text: '{"role": "assistant", "content": "Hello"}',
  },
  {
    name: 'arguments beside the name, one of which is named like a part of a message',
    upstream: '<tool_call>{"name": "write_file", "path": "a", "content": "b"}</tool_call>',
    calls: [['write_file', '{"path":"a","content":"b"}']],
  },
];
