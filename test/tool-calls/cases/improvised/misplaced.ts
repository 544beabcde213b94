import { type ToolCallCase } from '../../tool-call-case.js';

const paris = ['get_weather', '{"city":"Paris"}'] as const;
const twoDays = ['get_weather', '{"city":"Paris","days":2}'] as const;
const inTag = (body: string): string => `<tool_call>\n${body}\n</tool_call>`;
const withArguments = (json: string): string => inTag(`{"name": "get_weather", "arguments": ${json}}`);

/** Arguments one level too deep, the call that is meant, and its repairs. */
const TOO_DEEP: Readonly<Record<string, readonly [string, readonly [string, string], ...string[]]>> = {
  'all arguments under a word for them': [
    withArguments('{"arguments": {"city": "Paris", "days": "2"}}'),
    twoDays,
    'string_to_number',
    'wrapped_arguments',
  ],
  'all arguments under the name of the tool': [
    withArguments('{"get_weather": {"city": "Paris"}}'),
    paris,
    'wrapped_arguments',
  ],
  'all arguments as a string under a word for them': [
    withArguments(String.raw`{"input": "{\"city\": \"Paris\"}"}`),
    paris,
    'wrapped_arguments',
    'encoded_arguments',
  ],
  'all arguments under a word for them, in a string': [
    withArguments(String.raw`"{\"parameters\": {\"city\": \"Paris\"}}"`),
    paris,
    'encoded_arguments',
    'wrapped_arguments',
  ],
  'all arguments under a word for them between tags': [
    '<｜DSML｜invoke name="get_weather">\n{"arguments": {"city": "Paris"}}\n</｜DSML｜invoke>',
    paris,
    'wrapped_arguments',
  ],
  'all arguments under a keyword of Python': [
    '<|tool_call_start|>[get_weather(kwargs={"city": "Paris"})]<|tool_call_end|>',
    paris,
    'wrapped_arguments',
  ],
  'an argument beside those under a word for them': [
    withArguments('{"params": {"city": "Paris"}, "days": 2}'),
    twoDays,
    'wrapped_arguments',
  ],
  'no arguments under a word for them': [
    inTag('{"name": "search", "arguments": {"arguments": {}}}'),
    ['search', '{}'],
    'wrapped_arguments',
  ],
  'the only required argument under a word for all': [
    withArguments('{"arguments": "Paris"}'),
    paris,
    'wrapped_arguments',
  ],
  'a word for all in front of another argument': [
    withArguments('{"input": "Paris", "days": 2}'),
    ['get_weather', '{"input":"Paris","days":2}'],
  ],
  'a word for all with members that the tool has not': [
    withArguments('{"input": {"a": 1}}'),
    ['get_weather', '{"input":{"a":1}}'],
  ],
  'a word for all behind an argument': [
    withArguments('{"city": "Paris", "args": {"days": 2}}'),
    ['get_weather', '{"city":"Paris","args":{"days":2}}'],
  ],
};

export const misplaced: readonly ToolCallCase[] = [
  ...Object.entries(TOO_DEEP).map(([name, [upstream, call, ...repairs]]) => ({
    name,
    upstream,
    calls: [call],
    repairs: [repairs],
  })),
];
