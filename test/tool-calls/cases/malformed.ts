import { callOf, type ToolCallCase, written } from '../tool-call-case.js';

const paris = ['get_weather', '{"city":"Paris"}'] as const;
const twoDays = ['get_weather', '{"city":"Paris","days":2}'] as const;
const DEEP = `<tool_call>${'{"toolUse": '.repeat(3000)}`;
const inTag = (json: string): string => `<tool_call>\n${json}\n</tool_call>`;

/** Malformed JSON, the JSON that it is read as, and the reported repairs. */
const MENDED: Readonly<Record<string, readonly [string, readonly [string, string], ...string[]]>> = {
  'a comma too many': [
    '{"name": "get_weather", "arguments": {"city": "Paris", "days": 2,},}',
    twoDays,
    'trailing_comma',
  ],
  'a comma that is missing': [
    '{"name": "get_weather"\n"arguments": {"city": "Paris"\n"days": 2}}',
    twoDays,
    'missing_comma',
  ],
  'signs of equality for colons': [
    '{"name" = "get_weather", "arguments" = {"city" = "Paris", "days" = 2}}',
    twoDays,
    'foreign_separator',
  ],
  'a table of Lua': [
    '{name = "write_file", arguments = {path = "a.txt", content = "x = {y = "z"}"}}',
    written('x = {y = "z"}'),
    'unquoted_key',
    'foreign_separator',
    'unescaped_quote',
  ],
  'arrows for colons': [
    '{"name" => "get_weather", "arguments" => {"city" => "Paris"}}',
    paris,
    'foreign_separator',
  ],
  'doubled colons': ['{"name":: "get_weather", "arguments": {"city":: "Paris"}}', paris, 'foreign_separator'],
  'single quotes': ["{'name': 'get_weather', 'arguments': {'city': 'Paris'}}", paris, 'single_quotes'],
  'an apostrophe in single quotes': [
    "{'name': 'get_weather', 'arguments': {'city': 'L'Aquila'}}",
    ['get_weather', '{"city":"L\'Aquila"}'],
    'single_quotes',
    'unescaped_quote',
  ],
  'quotes in single quotes': [
    "{'name': 'run_command', 'arguments': {'command': 'echo \"it\\'s\"'}}",
    ['run_command', '{"command":"echo \\"it\'s\\""}'],
    'single_quotes',
  ],
  'smart quotes': ['{“name”: “get_weather”, “arguments”: {“city”: “Paris”}}', paris, 'smart_quotes'],
  'keys without quotes': ['{name: "get_weather", arguments: {city: "Paris"}}', paris, 'unquoted_key'],
  'literals of Python': [
    '{"name": "edit_file", "arguments": {"path": "a", "dry_run": True}}',
    ['edit_file', '{"path":"a","dry_run":true}'],
    'python_literal',
  ],
  'None for no arguments': ['{"name": "ping", "arguments": None}', ['ping', '{}'], 'python_literal'],
  comments: [
    '{ // the call\n"name": "get_weather", /* here */ "arguments": {"city": "Paris"} // end\n}',
    paris,
    'comment',
  ],
  'a closing brace that is missing': [
    '{"name": "get_weather", "arguments": {"city": "Paris"}',
    paris,
    'missing_closer',
  ],
  'all closing brackets missing': [
    '{"name": "search", "arguments": {"tags": ["a", "b"',
    ['search', '{"tags":["a","b"]}'],
    'missing_closer',
  ],
  'a name without quotes': ['{"name": get_weather, "arguments": {"city": "Paris"}}', paris, 'unquoted_name'],
  'a name without its first quote': [
    '{"name": get_weather", "arguments": {"city": "Paris"}}',
    paris,
    'unquoted_name',
  ],
  'the opening brace missing': [
    '"name": "get_weather", "arguments": {"city": "Paris"}',
    paris,
    'missing_opener',
    'missing_closer',
  ],
  'the opening brace alone missing': [
    '"name": "get_weather", "arguments": {"city": "Paris"}}',
    paris,
    'missing_opener',
  ],
  'the opening brace missing in a list': [
    '["name": "get_weather", "arguments": {"city": "Paris"}]',
    paris,
    'missing_opener',
    'missing_closer',
  ],
  'the whole call as its arguments': [
    '{"name": "get_weather", "arguments": {"name": "get_weather", "arguments": {"city": "Paris"}}}',
    paris,
    'wrapped_arguments',
  ],
  'a name in front of the arguments that is not the one of the tool': [
    '{"name": "get_weather", "arguments": {"name": "x", "input": {"a": 1}, "city": "Paris"}}',
    ['get_weather', '{"name":"x","input":{"a":1},"city":"Paris"}'],
  ],
  'a list whose end stands in place of a brace': [
    '[{"name": "get_weather", "arguments": {"city": "Paris"}]',
    paris,
    'missing_closer',
  ],
  'such a list with an id behind the arguments': [
    '[{"name": "get_weather", "arguments": {"city": "Paris"}, "id": "a1"]',
    paris,
    'missing_closer',
  ],
  'brackets closed out of order': [
    '{"name": "search", "arguments": {"tags": ["a", "b"}}',
    ['search', '{"tags":["a","b"]}'],
    'missing_closer',
  ],
  'braces that are doubled': [
    '{{"name": "get_weather", "arguments": {"city": "Paris"}}}',
    paris,
    'double_braces',
  ],
  'a closing brace too many': ['{"name": "get_weather", "arguments": {"city": "Paris"}}}', paris],
  'line breaks in a string': [
    '{"name": "write_file", "arguments": {"path": "a.txt", "content": "one\n\ttwo\r\n"}}',
    written('one\n\ttwo\r\n'),
    'raw_control_character',
  ],
  'backslashes that escape nothing': [
    '{"name": "run_command", "arguments": {"command": "grep \\d+\\. C:\\Users \\u12"}}',
    ['run_command', '{"command":"grep \\\\d+\\\\. C:\\\\Users \\\\u12"}'],
    'lone_backslash',
  ],
  'a path of Windows that is not escaped': [
    String.raw`{"name": "write_file", "arguments": {"path": "C:\Users\new\tmp\u0041\\b\"", "content": "C:\n\d\t"}}`,
    ['write_file', JSON.stringify({ path: String.raw`C:\Users\new\tmp\u0041\b"`, content: 'C:\n\\d\t' })],
    'lone_backslash',
  ],
  'quotes that are not escaped': [
    '{"name": "write_file", "arguments": {"path": "a.txt", "content": "say "hi" to <a href="x">me</a>"}}',
    written('say "hi" to <a href="x">me</a>'),
    'unescaped_quote',
  ],
  'a quotation before a comma that is not escaped': [
    '{"name": "write_file", "arguments": {"path": "a.txt", "content": "He said "hello", and "bye"."}}',
    written('He said "hello", and "bye".'),
    'unescaped_quote',
  ],
  'code with quotes and brackets that is not escaped': [
    '{"name": "write_file", "arguments": {"content": "x = {"a": ["b"], "c": "d"} + f("e")", "path": "a"}}',
    ['write_file', JSON.stringify({ content: 'x = {"a": ["b"], "c": "d"} + f("e")', path: 'a' })],
    'unescaped_quote',
  ],
  'code whose members are no arguments': [
    '{"name": "write_file", "arguments": {"path": "a.txt", "content": "d = {"a": "b", "c": "d"}\\nprint(d)"}}',
    written('d = {"a": "b", "c": "d"}\nprint(d)'),
    'unescaped_quote',
  ],
  'a JSON file that is not escaped': [
    '{"name": "write_file", "arguments": {"content": "{"name": "x", "scripts": {"a": "b"}, "c": [["d"]], "e": {"f": {"g": "h"}}}", "path": "a"}}',
    [
      'write_file',
      JSON.stringify({
        content: '{"name": "x", "scripts": {"a": "b"}, "c": [["d"]], "e": {"f": {"g": "h"}}}',
        path: 'a',
      }),
    ],
    'unescaped_quote',
  ],
  'code behind members that are no arguments': [
    '{"name": "write_file", "arguments": {"path": "a.txt", "content": "f({"a": {"b": "c"}})\\ng()"}}',
    written('f({"a": {"b": "c"}})\ng()'),
    'unescaped_quote',
  ],
  'strings on lines of their own that are not escaped': [
    '{"name": "write_file", "arguments": {"path": "a.txt", "content": "f("a"\n"b"\n"c": 1)"}}',
    written('f("a"\n"b"\n"c": 1)'),
    'unescaped_quote',
    'raw_control_character',
  ],
  'an id behind quotes that are not escaped': [
    '{"name": "write_file", "arguments": {"path": "a.txt", "content": "say "hi""}, "id": "1"}',
    written('say "hi"'),
    'unescaped_quote',
  ],
  'a comma missing behind quotes that are not escaped': [
    '{"name": "write_file", "arguments": {"content": "say "hi""\n"path": "a"}}',
    ['write_file', '{"content":"say \\"hi\\"","path":"a"}'],
    'unescaped_quote',
    'missing_comma',
  ],
  'three quotes as in Python': [
    '{"name": "write_file", "arguments": {"path": "a.txt", "content": """one\n"two"\n"""}}',
    written('one\n"two"\n'),
    'triple_quotes',
    'raw_control_character',
  ],
  'parameters for arguments': [
    '{"name": "get_weather", "parameters": {"city": "Paris"}}',
    paris,
    'alias_key',
  ],
  'tool and args': ['{"tool": "get_weather", "args": {"city": "Paris"}}', paris, 'alias_key'],
  'function and input': ['{"function": "get_weather", "input": {"city": "Paris"}}', paris, 'alias_key'],
  'a nested function': [
    '{"type": "function", "function": {"name": "get_weather", "arguments": {"city": "Paris"}}}',
    paris,
  ],
  'arguments as text': [
    '{"name": "get_weather", "arguments": "{\\"city\\": \\"Paris\\", \\"days\\": 2}"}',
    twoDays,
    'encoded_arguments',
  ],
  'arguments as text, with escapes': [
    '{"name": "write_file", "arguments": "{\\"path\\": \\"a.txt\\", \\"content\\": \\"a\\\\n\\\\\\"b\\\\\\" \\u00e9 \\\\ud83d\\\\ude00\\"}"}',
    ['write_file', '{"path":"a.txt","content":"a\\n\\"b\\" é \\ud83d\\ude00"}'],
    'encoded_arguments',
  ],
  'empty text for arguments': ['{"name": "ping", "arguments": ""}', ['ping', '{}'], 'encoded_arguments'],
  'arguments before the name': [
    '{"arguments": {"city": "Paris", "days": 2}, "name": "get_weather"}',
    twoDays,
  ],
  'arguments as text before the name': [
    '{"arguments": "{\\"city\\": \\"Paris\\"}", "name": "get_weather"}',
    paris,
    'encoded_arguments',
  ],
  'arguments beside the name': [
    '{"name": "get_weather", "city": "Paris", "days": "2"}',
    twoDays,
    'string_to_number',
    'flat_arguments',
  ],
  'members that mean nothing': [
    '{"id": "1", "thought": "hm", "name": "get_weather", "arguments": {"city": "Paris"}, "confidence": 0.9}',
    paris,
  ],
  'a fence around it': ['```json\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n```', paris],
  'a fence without a label around it': [
    '```\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n```\n',
    paris,
  ],
};

/** Calls that cannot be read and must not be guessed. */
const IRREPARABLE: Readonly<Record<string, string>> = {
  'text where a parameter should stand':
    '<tool_call>\n<function=get_weather>\nParis\n</function>\n</tool_call>',
  'JSON without a name': inTag('{"arguments": {"city": "Paris"}}'),
  'a value that is missing': inTag('{"name": "edit_file", "arguments": {"dry_run": }}'),
  'a number that is none': inTag('{"name": "get_weather", "arguments": {"days": 1.2.3}}'),
  'a literal that is none': inTag('{"name": "get_weather", "arguments": {"days": NaN}}'),
  'a key without a value': inTag('{"name": "get_weather", "arguments": {"days"}}'),
  'arguments that are a list': inTag('{"name": "get_weather", "arguments": ["Paris"]}'),
  'arguments that are other text': inTag('{"name": "write_file", "arguments": "a.txt"}'),
  'an empty list of calls': inTag('[]'),
  'a list of something else': inTag('["get_weather"]'),
};

/** A call with quotes that are not escaped, and what stands behind its arguments and behind the call. */
const QUOTING = '{"name":"write_file","arguments":{"path":"a.txt","content":"say "hi" now"}';
const BEHIND_QUOTES: readonly (readonly [upstream: string, text?: string, calls?: number])[] = [
  [`${QUOTING}}\n\nI wait.`, 'I wait.'],
  [`<tool_call>${QUOTING}}\nI wait.`, 'I wait.'],
  [`[TOOL_CALLS][${QUOTING}}]\nI wait.`, 'I wait.'],
  [`<tool_call>${QUOTING}};</tool_call>`],
  [`<tool_call>${QUOTING}} // run\n</tool_call>`],
  [`<tool_call>${QUOTING}},${QUOTING}}</tool_call>`, undefined, 2],
  [`<tool_call>${QUOTING},"type":"function"}</tool_call>`],
  [`<tool_call>${QUOTING},"thought":"x"}</tool_call>`],
  [`<tool_call>${QUOTING},"index":0}</tool_call>`],
  [`{"tool_calls":[{"function":${QUOTING}},"type":"function"}]}`],
];

export const malformed: readonly ToolCallCase[] = [
  {
    name: 'several objects of arguments in a list, of which none is given out',
    upstream: '<tool_call>{"name":"get_weather","arguments":[{"city":"Paris"},{"city":"Lyon"}]}</tool_call>',
    text: '<tool_call>{"name":"get_weather","arguments":[{"city":"Paris"},{"city":"Lyon"}]}</tool_call>',
    problem: 'malformed',
  },
  {
    name: 'calls in more objects than the stack could hold',
    upstream: DEEP,
    text: DEEP,
    problem: 'malformed',
  },
  ...BEHIND_QUOTES.map(([upstream, text, calls = 1]) => ({
    name: `quotes that are not escaped in ${upstream}`,
    upstream,
    text: text ?? '',
    calls: Array.from({ length: calls }, () => written('say "hi" now')),
  })),
  ...Object.entries(MENDED).map(([name, [json, call, ...repairs]]) => ({
    name,
    upstream: inTag(json),
    calls: [call],
    repairs: [repairs],
  })),
  ...Object.entries(IRREPARABLE).map(([name, upstream]) => ({
    name,
    upstream,
    text: upstream,
    problem: 'malformed' as const,
  })),
  {
    name: 'a parameter that is not closed before the next',
    upstream:
      '<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n<parameter=days>\n2\n</parameter>\n</function>\n</tool_call>',
    calls: [twoDays],
    repairs: [['missing_closer']],
  },
  {
    name: 'a number that is not closed before the next parameter',
    upstream: '<function=get_weather><parameter=days>2<parameter=city>Paris</parameter></function>',
    calls: [['get_weather', '{"days":2,"city":"Paris"}']],
  },
  {
    name: 'a parameter that is not closed before its function',
    upstream: '<tool_call><function=get_weather><parameter=city>Paris</function></tool_call>',
    calls: [paris],
    repairs: [['missing_closer']],
  },
  {
    name: 'a function that is not closed',
    upstream: '<tool_call>\n<function=get_weather>\n<parameter=city>Paris</parameter>\n</tool_call>\nDone.',
    text: 'Done.',
    calls: [paris],
    repairs: [['missing_closer']],
  },
  {
    name: 'nothing closed but the call',
    upstream: '<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</tool_call>',
    calls: [paris],
    repairs: [['missing_closer']],
  },
  {
    name: 'a call that is not closed before the next',
    upstream: `<tool_call>\n<function=get_weather>\n<parameter=city>Paris</parameter>\n</function>\n${callOf('ping')}`,
    calls: [paris, ['ping', '{}']],
  },
  {
    name: 'JSON that is not closed before the next call',
    upstream: `<tool_call>{"name":"get_weather","arguments":{"city":"Paris"}}\n${callOf('ping')}`,
    calls: [paris, ['ping', '{}']],
  },
  {
    name: 'a tag that is opened twice',
    upstream: `<tool_call>\n${callOf('get_weather', { city: 'Paris' })}`,
    calls: [paris],
  },
  {
    name: 'a call without an opening tag',
    upstream: '<function=get_weather>\n<parameter=city>Paris</parameter>\n</function>\n</tool_call>',
    calls: [paris],
  },
  {
    name: 'spaces and quotes in tags',
    upstream:
      '<tool_call >\n<function = "get_weather">\n<parameter= "city" >Paris</parameter >\n</function >\n</tool_call >',
    calls: [paris],
  },
  {
    name: 'a list of arguments behind a token',
    upstream:
      '<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>[{"city": "Paris"}]<|tool_call_end|>',
    calls: [paris],
    repairs: [['listed_arguments']],
  },
  ...[
    '<|channel|>commentary to=functions.get_weather<|message|><|call|>',
    '<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>Paris<|tool_call_end|>',
    '<｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>city: Paris<｜tool▁call▁end｜>',
    '[TOOL_CALLS]get_weather[ARGS]arguments: {"city": "Paris"}',
  ].map((upstream) => ({
    name: `no object behind a token: ${upstream}`,
    upstream,
    text: upstream,
    problem: 'malformed' as const,
  })),
  {
    name: 'a prefix of Python in front of a text in JSON',
    upstream: inTag(`{"name": "get_weather", "arguments": {'city': u'Paris'}}`),
    text: inTag(`{"name": "get_weather", "arguments": {'city': u'Paris'}}`),
    problem: 'malformed',
  },
  {
    name: 'JSON that breaks off into something else, when part of it is out',
    upstream: inTag('{"name": "write_file", "arguments": {"path": "a.txt", "content": }}'),
    calls: [['write_file', '{"path":"a.txt"']],
    finish: 'length',
  },
];
