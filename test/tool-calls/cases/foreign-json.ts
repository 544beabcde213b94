import { type ToolCallCase } from '../tool-call-case.js';

const paris = ['get_weather', '{"city":"Paris"}'] as const;
const rome = ['get_weather', '{"city":"Rome"}'] as const;
const running = (timeout: string): string =>
  `<tool_call>\n{"name": "run_command", "arguments": {"command": "ls", "timeout": ${timeout}}}\n</tool_call>`;
const args = (json: string): string => `<tool_call>{"name": "get_weather", "arguments": ${json}}</tool_call>`;

/** Numbers as Python and JavaScript write them, and as JSON does. */
const NUMBERS: Readonly<Record<string, string>> = {
  '.5': '0.5',
  '-.5': '-0.5',
  '5.': '5.0',
  '+5': '5',
  '1_000': '1000',
  '1_000.2_5e+1': '1000.25e+1',
  '0x1F': '31',
  '-0o17': '-15',
  '0b101': '5',
  '007': '7',
  '00': '0',
};

/** Values that are no numbers, so that the call ends where they stand. */
const NO_NUMBERS = ['0644', '010', '0xg', '5s', '1__0', '.', '+', '1.2.3', '-'];

/** Calls in the objects of other formats, which have members of their own names. */
const OBJECTS: Readonly<Record<string, readonly [string, ...(readonly [string, string])[]]>> = {
  'tool_uses of several tools': [
    '{"tool_uses": [{"recipient_name": "functions.get_weather", "parameters": {"city": "Paris"}}, {"recipient_name": "functions.get_weather", "parameters": {"city": "Rome"}}]}',
    paris,
    rome,
  ],
  'a functionCall': ['{"functionCall": {"name": "get_weather", "args": {"city": "Paris"}}}', paris],
  'a toolUse': ['{"toolUse": {"toolUseId": "t1", "name": "get_weather", "input": {"city": "Paris"}}}', paris],
  'toolCalls in camel case': [
    '{"toolCalls": [{"toolName": "get_weather", "toolArgs": {"city": "Paris"}}]}',
    paris,
  ],
  'a part of a message': [
    '{"type":"tool-call","toolCallId":"c1","toolName":"get_weather","input":{"city":"Paris"}}',
    paris,
  ],
};

/** Answers in forms of single families. */
const FORMS: Readonly<Record<string, readonly [string, ...(readonly [string, string])[]]>> = {
  'tags with the prefix of IQuest Coder': [
    '<iquestcoder_tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n</iquestcoder_tool_call>',
    paris,
  ],
  'a header of gpt-oss in a tag': [
    '<tool_call>assistant to=functions.get_weather json\n{"city": "Paris"}\n</tool_call>',
    paris,
  ],
  'the shorter header of gpt-oss in a tag': [
    '<tool_call>to=functions.get_weather\n{"city": "Paris"}\n</tool_call>',
    paris,
  ],
  'tokens of DeepSeek with blanks': [
    '<｜tool calls begin｜><｜tool call begin｜>function<｜tool sep｜>get_weather\n```json\n{"city": "Paris"}\n```<｜tool call end｜><｜tool calls end｜>',
    paris,
  ],
  'tokens of DeepSeek with escaped low lines': [
    '<｜tool\\_calls\\_begin｜><｜tool\\_call\\_begin｜>get_weather<｜tool\\_sep｜>{"city": "Paris"}<｜tool\\_call\\_end｜><｜tool\\_calls\\_end｜>',
    paris,
  ],
  'tokens of DeepSeek in plain signs': [
    '<|tool_calls_begin|><|tool_call_begin|>function<|tool_sep|>get_weather\n{"city": "Paris"}<|tool_call_end|><|tool_calls_end|>',
    paris,
  ],
  'markers of Qwen-Agent': [
    '✿FUNCTION✿: get_weather\n✿ARGS✿: {"city": "Paris"}\n✿FUNCTION✿: get_weather\n✿ARGS✿: {"city": "Rome"}\n',
    paris,
    rome,
  ],
  'markers of Qwen-Agent with a result that the model made up': [
    '✿FUNCTION✿: get_weather\n✿ARGS✿: {"city": "Paris"}\n✿RESULT✿: sunny\n',
    paris,
  ],
  'a result that gpt-oss made up': [
    '<|channel|>commentary to=functions.get_weather<|message|>{"city":"Paris"}<|call|><|start|>functions.get_weather to=assistant<|channel|>commentary<|message|>{"temp": 20}<|end|>',
    paris,
  ],
};

/** Arguments with the mistakes of programs that write them. */
const ARGUMENTS: Readonly<Record<string, readonly [string, readonly [string, string], ...string[]]>> = {
  'a list of one object': [args('[{"city": "Paris"}]'), paris, 'listed_arguments'],
  'an empty list': [
    '<tool_call>{"name": "list_files", "arguments": []}</tool_call>',
    ['list_files', '{}'],
    'listed_arguments',
  ],
  'a comment of Python': [args('{"city": # where\n "Paris"}'), paris, 'comment'],
  'an undefined value': [
    '<tool_call>{"name": "search", "arguments": {"query": undefined}}</tool_call>',
    ['search', '{"query":null}'],
    'python_literal',
  ],
  'literals of Python': [
    `<|tool_call_start|>[run_command(command=r'\\d "x"', timeout=0x1F, env={u'A': u'1'})]<|tool_call_end|>`,
    ['run_command', String.raw`{"command":"\\d \"x\"","timeout":31,"env":{"A":"1"}}`],
    'python_literal',
    'single_quotes',
    'lone_backslash',
    'foreign_number',
  ],
  'a set of Python': [
    `<|tool_call_start|>[search(tags={'a', "b"}, extra=(1, -2.5, None))]<|tool_call_end|>`,
    ['search', '{"tags":["a","b"],"extra":[1,-2.5,null]}'],
    'python_literal',
    'single_quotes',
  ],
  'brackets of Python': [
    `<|tool_call_start|>[search(tags=('a',), query=('b'), extra=())]<|tool_call_end|>`,
    ['search', '{"tags":["a"],"query":"b","extra":[]}'],
    'python_literal',
    'single_quotes',
    'trailing_comma',
  ],
};

export const foreignJson: readonly ToolCallCase[] = [
  ...Object.entries(NUMBERS).map(([written, number]) => ({
    name: `the number ${written}`,
    upstream: running(written),
    calls: [['run_command', `{"command":"ls","timeout":${number}}`] as const],
    repairs: [['foreign_number']],
  })),
  ...NO_NUMBERS.map((written) => ({
    name: `${written}, which is no number`,
    upstream: running(written),
    calls: [['run_command', '{"command":"ls"'] as const],
    finish: 'length' as const,
  })),
  ...Object.entries(OBJECTS).flatMap(([name, [json, ...calls]]) => [
    { name: `${name}, bare`, upstream: json, calls },
    { name: `${name} in a tag`, upstream: `<tool_call>${json}</tool_call>`, calls },
  ]),
  ...Object.entries(FORMS).map(([name, [upstream, ...calls]]) => ({ name, upstream, calls })),
  ...Object.entries(ARGUMENTS).map(([name, [upstream, call, ...repairs]]) => ({
    name: `arguments with ${name}`,
    upstream,
    calls: [call],
    repairs: [repairs],
  })),
  {
    name: 'words about the markers of Qwen-Agent',
    upstream: 'Qwen-Agent uses ✿FUNCTION✿: and ✿ARGS✿: as markers.',
    text: 'Qwen-Agent uses ✿FUNCTION✿: and ✿ARGS✿: as markers.',
  },
];
