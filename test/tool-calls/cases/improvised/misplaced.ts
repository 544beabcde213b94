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
  'a text in place of the arguments, of which one is required': [
    withArguments('"Paris, France"'),
    ['get_weather', '{"city":"Paris, France"}'],
    'unnamed_argument',
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

/** Arguments behind a call that is closed already, the calls that are meant, and the repairs of the first. */
const BEHIND: Readonly<
  Record<string, readonly [string, readonly (readonly [string, string])[], ...string[]]>
> = {
  'arguments as an object of their own': [
    inTag('{"name": "get_weather"}\n{"city": "Paris", "days": 2}'),
    [twoDays],
    'late_arguments',
  ],
  'arguments as an object of their own in front of another call': [
    inTag('{"name": "get_weather"}, {"city": "Paris"}, {"name": "ping"}'),
    [paris, ['ping', '{}']],
    'late_arguments',
  ],
  'arguments with their label as an object of their own': [
    inTag('[{"name": "get_weather"}, {"arguments": {"city": "Paris"}}]'),
    [paris],
    'late_arguments',
    'wrapped_arguments',
  ],
  'arguments behind a brace too many': [
    inTag('{"name": "get_weather"}, "arguments": {"city": "Paris"}}'),
    [paris],
    'late_arguments',
  ],
  'arguments behind empty ones': [
    inTag('{"name": "get_weather", "arguments": {}}\n{"city": "Paris"}'),
    [paris],
    'late_arguments',
  ],
  'arguments behind empty parentheses': [
    inTag('get_weather()\n{"city": "Paris"}'),
    [paris],
    'late_arguments',
  ],
  'arguments behind empty ones behind a marker': [
    '[TOOL_CALLS]get_weather[ARGS]{}{"city": "Paris"}',
    [paris],
    'late_arguments',
  ],
  'arguments behind the closing tag of a function': [
    inTag('<function=get_weather>\n</function>\n{"city": "Paris"}'),
    [paris],
    'late_arguments',
  ],
  'a call behind one without arguments': [
    inTag('{"name": "search"}\n{"name": "get_weather", "arguments": {"city": "Paris"}}'),
    [['search', '{}'], paris],
  ],
  'a second label with the arguments': [
    inTag('{"name": "get_weather", "parameters": {}, "arguments": {"city": "Paris"}}'),
    [paris],
    'alias_key',
  ],
};

/** Arguments under another word, or in a list. */
const ELSEWHERE: Readonly<Record<string, readonly [string, readonly [string, string], ...string[]]>> = {
  'arguments under a word of its own': [
    inTag('{"name": "get_weather", "payload": {"city": "Paris"}}'),
    paris,
    'alias_key',
  ],
  'arguments as a string under a word of its own': [
    inTag(String.raw`{"name": "get_weather", "body": "{\"city\": \"Paris\"}"}`),
    paris,
    'alias_key',
    'encoded_arguments',
  ],
  'a list of a name and a value each': [
    withArguments('[{"name": "city", "value": "Paris"}, {"name": "days", "value": 2}]'),
    twoDays,
    'listed_arguments',
  ],
  'a list of one such pair': [
    withArguments('[{"name": "city", "value": "Paris"}]'),
    paris,
    'listed_arguments',
  ],
  'a list of an object for each argument': [
    withArguments('[{"city": "Paris"}, {"days": 2}]'),
    twoDays,
    'listed_arguments',
  ],
  'a value with its type': [
    withArguments(
      '{"city": {"type": "string", "value": "Paris"}, "days": {"type": "integer", "value": "2"}}',
    ),
    twoDays,
    'described_value',
    'string_to_number',
  ],
  'arguments under the name of the tool beside the name': [
    inTag('{"name": "get_weather", "get_weather": {"city": "Paris"}}'),
    paris,
    'alias_key',
  ],
  'labels in capitals': [
    inTag('{"Name": "get_weather", "ARGUMENTS": {"city": "Paris"}}'),
    paris,
    'alias_key',
  ],
  'other data beside a name': [inTag('{"name": "search", "meta": {"a": 1}}'), ['search', '{}']],
};

/** Arguments behind those that are closed already, and a brace too many between them. */
const CLOSED_EARLY: Readonly<Record<string, readonly [string, readonly [string, string], ...string[]]>> = {
  'behind a token of Kimi': [
    '<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Paris"}, "days": 2}<|tool_call_end|>',
    twoDays,
    'missing_opener',
  ],
  'behind a marker of Mistral': [
    '[TOOL_CALLS]get_weather[ARGS]{"city": "Paris"},\n"days": 2}',
    twoDays,
    'missing_opener',
  ],
  'in a fence of DeepSeek': [
    '<｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"city": "Paris"}, "days": 2}\n```<｜tool▁call▁end｜>',
    twoDays,
    'missing_opener',
  ],
  'between tags': [
    '<function=get_weather>\n{"city": "Paris"}, "days": 2}\n</function>',
    twoDays,
    'missing_opener',
  ],
  'behind a list that is not closed': [
    '<function=search>{"tags": ["a", "b"}, "query": "x"}</function>',
    ['search', '{"tags":["a","b"],"query":"x"}'],
    'missing_closer',
    'missing_opener',
  ],
  'as a whole answer': [
    '{"name": "get_weather", "arguments": {"city": "Paris"}, "days": 2}}',
    twoDays,
    'flat_arguments',
  ],
  'an object of a list': [
    inTag(
      '{"name": "edit_file", "arguments": {"edits": [{"old": "a", "new": "b"}}, {"old": "c", "new": "d"}]}}',
    ),
    ['edit_file', '{"edits":[{"old":"a","new":"b"},{"old":"c","new":"d"}]}'],
    'mistaken_closer',
  ],
};

export const misplaced: readonly ToolCallCase[] = [
  ...Object.entries({ ...TOO_DEEP, ...ELSEWHERE, ...CLOSED_EARLY }).map(
    ([name, [upstream, call, ...repairs]]) => ({
      name,
      upstream,
      calls: [call],
      repairs: [repairs],
    }),
  ),
  ...Object.entries(BEHIND).map(([name, [upstream, calls, ...repairs]]) => ({
    name,
    upstream,
    calls,
    repairs: calls.map((_, index) => (index === 0 ? repairs : [])),
  })),
  ...[
    '"city: Paris"',
    '"[1]"',
    '[{"city": "Paris"}, {"city": "Rome"}]',
    '[{"city": "Paris"}, {"town": 2}]',
    '[{"city": "Paris"}, 2]',
  ].map((json) => ({
    name: `no arguments: ${json}`,
    upstream: withArguments(json),
    text: withArguments(json),
    problem: 'malformed' as const,
  })),
  {
    name: 'what is no argument behind those of a call',
    upstream: '[TOOL_CALLS]get_weather[ARGS]{"city": "Paris"}, "town": 2}',
    text: ', "town": 2}',
    calls: [paris],
  },
  {
    name: 'an object behind a call with arguments',
    upstream: `${withArguments('{"city": "Paris"}')}\n{"days": 2}`,
    text: '{"days": 2}',
    calls: [paris],
  },
];
