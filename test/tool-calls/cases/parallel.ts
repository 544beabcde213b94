import { callOf, type ToolCallCase } from '../tool-call-case.js';

const paris = callOf('get_weather', { city: 'Paris' });
const rome = callOf('get_weather', { city: 'Rome' });
const both = [
  ['get_weather', '{"city":"Paris"}'],
  ['get_weather', '{"city":"Rome"}'],
] as const;

export const parallel: readonly ToolCallCase[] = [
  { name: 'two calls', upstream: `${paris}\n${rome}`, calls: both },
  { name: 'two calls without white space between them', upstream: paris + rome, calls: both },
  { name: 'two calls far apart', upstream: `${paris}\n\n\n\n${rome}\n\n`, calls: both },
  {
    name: 'text around and between calls',
    upstream: `One.\n${paris}\nTwo.\n\n${rome}\nThree.`,
    text: 'One.\nTwo.\n\nThree.',
    calls: both,
  },
  {
    name: 'five calls of different forms',
    upstream: [
      paris,
      '<tool_call>{"name":"ping","arguments":{}}</tool_call>',
      '<function=read_file><parameter=path>a</parameter></function>',
      '<invoke name="read_file"><parameter name="path">b</parameter></invoke>',
      callOf('list_files'),
    ].join('\n'),
    calls: [
      ['get_weather', '{"city":"Paris"}'],
      ['ping', '{}'],
      ['read_file', '{"path":"a"}'],
      ['read_file', '{"path":"b"}'],
      ['list_files', '{}'],
    ],
  },
  {
    name: 'two calls of MiniMax M3, the first of which is not closed',
    upstream:
      ']<]minimax[>[<tool_call>]<]minimax[>[<invoke name="get_weather">]<]minimax[>[<city>Paris]<]minimax[>[</city>]<]minimax[>[<invoke name="get_weather">]<]minimax[>[<city>Rome]<]minimax[>[</city>]<]minimax[>[</invoke>]<]minimax[>[</tool_call>',
    calls: both,
  },
  {
    name: 'the same call twice',
    upstream: `${paris}\n${paris}`,
    calls: [both[0], both[0]],
  },
  {
    name: 'two functions in one tag',
    upstream:
      '<tool_call>\n<function=get_weather>\n<parameter=city>Paris</parameter>\n</function>\n<function=get_weather>\n<parameter=city>Rome</parameter>\n</function>\n</tool_call>',
    calls: both,
  },
  {
    name: 'an array of calls in one tag',
    upstream:
      '<tool_call>[{"name":"get_weather","arguments":{"city":"Paris"}},\n{"name":"get_weather","arguments":{"city":"Rome"}}]</tool_call>',
    calls: both,
  },
  {
    name: 'objects on lines of their own in one tag',
    upstream:
      '<tool_call>\n{"name":"get_weather","arguments":{"city":"Paris"}}\n{"name":"get_weather","arguments":{"city":"Rome"}}\n</tool_call>',
    calls: both,
  },
  {
    name: 'a member that lists calls in the form of the wire',
    upstream:
      '<tool_call>{"tool_calls":[{"id":"x","type":"function","function":{"name":"get_weather","arguments":"{\\"city\\":\\"Paris\\"}"}},{"id":"y","type":"function","function":{"name":"get_weather","arguments":"{\\"city\\":\\"Rome\\"}"}}]}</tool_call>',
    calls: both,
  },
  {
    name: 'nested wrappers',
    upstream: `<tool_calls>\n${paris}\n${rome}\n</tool_calls>\nDone.`,
    text: 'Done.',
    calls: both,
  },
  {
    name: 'many calls',
    upstream: Array.from({ length: 40 }, (_, index) => callOf('read_file', { path: `f${index}` })).join('\n'),
    calls: Array.from({ length: 40 }, (_, index) => ['read_file', `{"path":"f${index}"}`] as const),
  },
  {
    name: 'only the first of two calls where one at a time is wanted',
    upstream: `Go.\n${paris}\n${rome}\n`,
    text: 'Go.',
    calls: [both[0]],
    isSerial: true,
    notes: ['Dropped 1 more: only one call at a time was asked for.'],
  },
  {
    name: 'two calls of Mistral with one marker',
    upstream: '[TOOL_CALLS]get_weather[ARGS]{"city": "Paris"}get_weather[ARGS]{"city": "Rome"}',
    calls: both,
  },
  {
    name: 'calls of Gemma 4 with one marker',
    upstream:
      '<|tool_call>call:get_weather{city:<|"|>Paris<|"|>}call:ping{}call:get_weather{city:<|"|>Rome<|"|>}<tool_call|>\nEnd.',
    text: 'End.',
    calls: [both[0], ['ping', '{}'], both[1]],
  },
  {
    name: 'calls by plain names in one tag',
    upstream: '<tool_call>get_weather{"city": "Paris"}\nget_weather{"city": "Rome"}</tool_call>',
    calls: both,
  },
  {
    name: 'a name behind a call that is no further one',
    upstream: '[TOOL_CALLS]get_weather[ARGS]{"city": "Paris"}\nget_weather{"x": 1} is wrong.',
    text: 'get_weather{"x": 1} is wrong.',
    calls: [both[0]],
  },
  {
    name: 'JSON in two calls of Kimi K3, with nothing around them',
    upstream: ['Paris', 'Rome']
      .map(
        (city, index) =>
          `<|open|>call tool="get_weather" index="${index + 1}"<|sep|><|open|>json type="object"<|sep|>{"city": "${city}"}<|close|>json<|sep|><|close|>call<|sep|>`,
      )
      .join(''),
    calls: both,
  },
  {
    name: 'only the first of an array where one at a time is wanted',
    upstream:
      '[TOOL_CALLS] [{"name":"get_weather","arguments":{"city":"Paris"}},{"name":"ping","arguments":{}},{"name":"ping"}]',
    calls: [both[0]],
    isSerial: true,
    notes: ['Dropped 2 more: only one call at a time was asked for.'],
  },
  {
    name: 'text between calls of which the second is dropped',
    upstream: `${paris}\nAnd:\n${rome}\nEnd.`,
    text: 'And:\nEnd.',
    calls: [both[0]],
    isSerial: true,
  },
];
