import { type ToolCallCase, written } from '../../tool-call-case.js';

const paris = ['get_weather', '{"city":"Paris"}'] as const;
const twoDays = ['get_weather', '{"city":"Paris","days":2}'] as const;
const inTag = (body: string): string => `<tool_call>\n${body}\n</tool_call>`;
const llama = (call: string): string => `<|python_start|>[${call}]<|python_end|>`;

/** Brackets and quotes that a model takes from other languages or forgets, the call that is meant, and its repairs. */
const READ: Readonly<Record<string, readonly [string, readonly [string, string], ...string[]]>> = {
  'parentheses in place of braces': [
    inTag('{"name": "get_weather", "arguments": ("city": "Paris", "days": 2)}'),
    twoDays,
    'foreign_separator',
  ],
  'parentheses in place of braces behind a marker': [
    '[TOOL_CALLS]get_weather[ARGS]("city": "Paris")',
    paris,
    'foreign_separator',
  ],
  'keywords in quotes': [inTag(`get_weather('city'="Paris", "days"=2)`), twoDays, 'single_quotes'],
  'Python between the tags of a function': [
    '<function=get_weather>(city="Paris", days=2)</function>',
    twoDays,
  ],
  'a key without its second quote in front of an object': [
    inTag('{"name": "get_weather", "arguments: {"city": "Paris"}}'),
    paris,
    'unclosed_key',
  ],
  'a key without its second quote in front of a list': [
    inTag('{"name": "search", "arguments": {"tags: ["a", "b"], "query": "x"}}'),
    ['search', '{"tags":["a","b"],"query":"x"}'],
    'unclosed_key',
  ],
  'a key without its second quote in front of objects': [
    inTag('{"name": "edit_file", "arguments": {"edits: [{"old": "a", "new": "b"}]}}'),
    ['edit_file', '{"edits":[{"old":"a","new":"b"}]}'],
    'unclosed_key',
  ],
  'a text without its second quote in front of a key': [
    inTag('{"name": "get_weather", "arguments": {"city": "Paris, "days": 2}}'),
    twoDays,
    'unclosed_text',
    'missing_comma',
  ],
  'a text without its second quote in front of a key on the next line': [
    inTag('{"name": "read_file", "arguments": {\n  "path": "a, b.txt,\n  "offset": 4\n}}'),
    ['read_file', '{"path":"a, b.txt","offset":4}'],
    'raw_control_character',
    'unclosed_text',
    'missing_comma',
  ],
  'a key that is repeated in front of its value': [
    inTag(
      '{"name": "get_weather", "arguments": "arguments": {"city": "city": "Paris", "days" : "days" : 2}}',
    ),
    twoDays,
    'doubled_key',
  ],
  'a value that is its key': [
    inTag('{"name": "get_weather", "arguments": {"city": "city", "days": 2}}'),
    ['get_weather', '{"city":"city","days":2}'],
  ],
  'a comment of HTML between arguments': [
    inTag('{"name": "get_weather", "arguments": {"city": "Paris", <!-- how long --> "days": 2}}'),
    twoDays,
    'comment',
  ],
  'a comment of HTML in front of all': [
    inTag('<!-- look -->{"name": "get_weather", "arguments": {"city": "Paris"}}'),
    paris,
  ],
  'a key that ends in a colon and a bracket': [
    inTag('{"name": "run_command", "arguments": {"command": "a", "env": {"X: {": "1", "Y: ": "2"}}}'),
    ['run_command', '{"command":"a","env":{"X: {":"1","Y: ":"2"}}'],
  ],
};

/** Texts as Python writes them, and their content. */
const TEXTS_OF_PYTHON: Readonly<Record<string, readonly [string, string, ...string[]]>> = {
  'three single quotes': [`'''a\n'b' "c"\n'''`, `a\n'b' "c"\n`, 'single_quotes', 'raw_control_character'],
  'a raw text in three single quotes': [
    String.raw`r'''\d'''`,
    '\\d',
    'python_literal',
    'single_quotes',
    'lone_backslash',
  ],
  'three quotes whose text begins on the next line': ['"""\\\na"""', 'a', 'triple_quotes'],
  'texts side by side': [String.raw`"a\n" "b"`, 'a\nb', 'joined_texts'],
  'texts side by side over lines': ['"a"\n        "b"\n        "c"', 'abc', 'joined_texts'],
  'texts in parentheses': [
    String.raw`("a\n"` + '\n' + String.raw`  "(b)\n")`,
    'a\n(b)\n',
    'python_literal',
    'joined_texts',
  ],
};

export const inJson: readonly ToolCallCase[] = [
  ...Object.entries(READ).map(([name, [upstream, call, ...repairs]]) => ({
    name,
    upstream,
    calls: [call],
    repairs: [repairs],
  })),
  ...Object.entries(TEXTS_OF_PYTHON).map(([name, [value, content, ...repairs]]) => ({
    name,
    upstream: llama(`write_file(path="a.txt", content=${value})`),
    calls: [written(content)],
    repairs: [repairs],
  })),
  {
    name: 'no sum in parentheses',
    upstream: llama('get_weather(days=(1 + 2))'),
    text: llama('get_weather(days=(1 + 2))'),
    problem: 'malformed',
  },
  {
    name: 'quotes side by side in JSON',
    upstream: inTag('{"name": "get_weather", "arguments": {"city": "a" "b"}}'),
    calls: [['get_weather', String.raw`{"city":"a\" \"b"}`]],
  },
  ...[
    'say, "hello": it is polite',
    'say, "path": "a" and more',
    'a, "mode": 4}',
    'a, "mode": "4"}',
    'say, "content": 3, "mode": 4',
    'say, ',
  ].map((content) => ({
    name: `quotes behind a comma that begin no argument: ${content}`,
    upstream: inTag(`{"name": "write_file", "arguments": {"path": "a.txt", "content": "${content}"}}`),
    calls: [written(content)],
  })),
  ...[inTag('get_weather("Paris")'), inTag('get_weather({"Paris"})')].map((upstream) => ({
    name: `no call without keys: ${upstream.slice(12, 35)}`,
    upstream,
    text: upstream,
    problem: 'malformed' as const,
  })),
];
