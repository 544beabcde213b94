import { type Call, type Dialect, DIALECTS } from '../dialects.js';
import { type ToolCallCase } from '../tool-call-case.js';

const paris: Call = ['get_weather', { city: 'Paris' }];
const ping: Call = ['ping', {}];

/** Calls with values of every kind. */
const KINDS: readonly Call[] = [
  ['get_weather', { city: '2', days: 2, unit: 'celsius' }],
  ['edit_file', { path: 'a', edits: [{ old: 'x', new: "it's" }], dry_run: true }],
  ['run_command', { command: 'ls', timeout: 1.5, env: { A: '1' } }],
  ['search', { query: null, tags: ['a', 'b'], exact: false }],
];

const CONTENTS: Readonly<Record<string, string>> = {
  'a text of several lines': 'one "two"\n\n\tthree \\d+ it\'s {4}, [5]) 😀\nsix',
  'HTML and code': '<a href="x">(y)</a> = `z`;\n```js\nf({ a: [1] })\n```\n<parameter> </div>',
  'markers of other dialects':
    'a [TOOL_CALLS][{"name":"ping"}] <|python_tag|> <｜tool▁call▁end｜> <|call|> b',
  'no character': '',
};

function expected(calls: readonly Call[]): ToolCallCase['calls'] {
  return calls.map(([name, values]) => [name, JSON.stringify(values)]);
}

function casesOf(name: string, { write, isBare = false }: Dialect): ToolCallCase[] {
  const one = (what: string, calls: readonly Call[]): ToolCallCase => ({
    name: `${name}: ${what}`,
    upstream: write(calls),
    calls: expected(calls),
  });
  const before = isBare ? '' : 'Before.\n\n';
  return [
    one('a call', [paris]),
    one('a call without arguments', [ping]),
    one('several calls', [paris, ping, ['list_files', {}], paris]),
    one('values of all kinds', KINDS),
    ...Object.entries(CONTENTS).map(([what, content]) =>
      one(`${what} in a value`, [['write_file', { path: 'a.txt', content }], ping]),
    ),
    {
      name: `${name}: calls between texts`,
      upstream: `${before}${write([paris, ping])}\n\nAfter.`,
      text: `${isBare ? '' : before}After.`,
      calls: expected([paris, ping]),
    },
    {
      name: `${name}: a call of no offered tool`,
      upstream: `${before}${write([['get_time', { city: 'Paris' }]])}`,
      text: `${before}${write([['get_time', { city: 'Paris' }]])}`,
    },
  ];
}

/** Variants of these forms that models write as well. */
const VARIANTS: Readonly<Record<string, string>> = {
  'a name and JSON in a tag': '<tool_call>get_weather\n{"city": "Paris"}\n</tool_call>',
  'a name and Python in a tag': '<tool_call>get_weather(city="Paris")</tool_call>',
  'printed Python in a tag': '<tool_code>\nprint(default_api.get_weather(city="Paris"))\n</tool_code>',
  'printed Python as the whole answer': 'print(default_api.get_weather(city="Paris"))',
  'printed lines of Python as the whole answer': 'print(get_weather(city="Paris"))\n',
  'keys without line breaks and with much space':
    '<tool_call> get_weather <arg_key> city </arg_key>  <arg_value>Paris</arg_value>\n\n</tool_call>',
  'keys without a closing tag':
    '<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>',
  'JSON in an invocation with a namespace':
    '<｜DSML｜tool_calls><｜DSML｜invoke name="get_weather">{"city":"Paris"}</｜DSML｜invoke></｜DSML｜tool_calls>',
  'bars that are doubled':
    '<｜｜DSML｜｜invoke name="get_weather"><｜｜DSML｜｜parameter name="city">Paris</｜｜DSML｜｜parameter></｜｜DSML｜｜invoke>',
  'the call of DeepSeek alone': '<｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Paris"}',
  'the call of DeepSeek, half closed':
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Paris"}<｜tool▁call▁e',
  'the call of Kimi alone':
    '<|tool_call_begin|>functions.get_weather:12<|tool_call_argument_begin|>{"city": "Paris"}<|tool_call_end|>',
  'the call of Kimi in a section':
    '<|tool_call_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Paris"}<|tool_call_end|><|tool_call_section_end|>',
  'a call behind analysis':
    '<|channel|>analysis to=functions.get_weather <|constrain|>json<|message|>{"city":"Paris"}<|call|>',
  'bars that are lost':
    '<DSML｜invoke name="get_weather"><DSML｜parameter name="city">Paris</DSML｜parameter></DSML｜invoke>',
  'a colon in front of a list of Mistral':
    '[TOOL_CALLS]: [{"name": "get_weather", "arguments": {"city": "Paris"}}]',
  'a space behind a name of Mistral': '[TOOL_CALLS] get_weather [ARGS] {"city": "Paris"}',
  'a name of Mistral alone before its arguments': '[TOOL_CALLS]get_weather{"city": "Paris"}',
  'Python with single quotes': "<|python_start|>[get_weather(city='Paris')]<|python_end|>",
  'Python over several lines': '[\n  get_weather(\n    city="Paris",\n  ),\n]',
  'the end of a turn behind a call': '<|tool_call>call:get_weather{city:<|"|>Paris<|"|>}<tool_call|><turn|>',
  'Python with a method': '<|python_tag|>get_weather.call(city="Paris")',
  'Python without the end of its list': '[get_weather(city="Paris")',
  'a turn of HyperCLOVA X':
    '<|im_start|>assistant -> tool/function_call\n[{"name": "get_weather", "arguments": {"city": "Paris"}}]',
  'Python that is cut': '<|tool_call_start|>[get_weather(city="Paris"',
  'Python in a fence of JSON': '```json\n[get_weather(city="Paris")]\n```',
  'keys that are not closed':
    '<tool_call>get_weather\n<arg_key>city\n<arg_value>Paris</arg_value>\n</tool_call>',
  'values that are not opened':
    '<tool_call>get_weather\n<arg_key>city</arg_key>\nParis</arg_value>\n</tool_call>',
  'a list of Mistral that lacks a brace':
    '[TOOL_CALLS] [{"name": "get_weather", "arguments": {"city": "Paris"}]',
  'JSON of a whole call behind the word that DeepSeek writes':
    '<｜tool▁call▁begin｜>function<｜tool▁sep｜>{"name": "get_weather", "arguments": {"city": "Paris"}}<｜tool▁call▁end｜>',
  'a call of Mistral whose tokens were dropped': 'get_weather{"city": "Paris"}',
  'a call of gpt-oss whose tokens were dropped': 'commentary to=functions.get_weather json{"city": "Paris"}',
  'a name and JSON in lines of their own': 'get_weather\n{"city": "Paris"}\n',
  'Python in a fence for tools, in a list': '```tool_code\n[get_weather(city="Paris")]\n```',
};

/** What resembles a name and its arguments in lines of their own. */
const NO_NAME_LINES: readonly string[] = [
  'get_weather\n{"city": "Paris"}\n\nis a call of GLM 4.',
  'get_weather\n{"properties": {"city": {"type": "string"}}}',
  'get_weather{"city": "Paris"} is how it is written.',
  'get_weather{"x": "Paris"}',
  '>>> get_weather(city="Paris")\n{"sky": "clear"}\n',
  '>>> get_weather\n{"city": "Paris"}\n',
  '>>>get_time\n{"city": "Paris"}\n',
  'Quoted:\n\n>>> get\n>>>get_weather\n>>>{"city": "Paris"}\n>>>',
];

/** Calls that are cut behind the name, so that the model can be asked again. */
const CUT: readonly string[] = [
  '<tool_call>get_weather',
  '<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>',
  '[TOOL_CALLS]get_weather[ARGS]{',
  '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>',
  '<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>',
  '<|tool_call_start|>[get_weather(days=1',
];

/** Calls without anything in place of the arguments. */
const EMPTY: readonly string[] = [
  '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>ping<｜tool▁sep｜><｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  '<|tool_calls_section_begin|><|tool_call_begin|>functions.ping:0<|tool_call_argument_begin|><|tool_call_end|>',
  '<|channel|>commentary to=functions.ping <|constrain|>json<|message|><|call|>',
];

export const dialects: readonly ToolCallCase[] = [
  ...EMPTY.map((upstream) => ({ name: `no arguments in ${upstream}`, upstream, calls: expected([ping]) })),
  ...Object.entries(DIALECTS).flatMap(([name, dialect]) => casesOf(name, dialect)),
  ...Object.entries(VARIANTS).map(([name, upstream]) => ({ name, upstream, calls: expected([paris]) })),
  ...NO_NAME_LINES.map((text) => ({ name: `no call in ${text}`, upstream: text, text })),
  {
    name: 'text of Functionary in front of a call',
    upstream: '>>>all\nI look.\n>>>get_weather\n{"city": "Paris"}',
    text: 'I look.',
    calls: expected([paris]),
  },
  {
    name: 'a list whose items lack a brace',
    upstream:
      '[TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Paris"}, {"name": "ping", "arguments": {}, {"name": "ping", "arguments": {}}]',
    calls: expected([paris, ping, ping]),
  },
  {
    name: 'a turn of text in front of a call of HyperCLOVA X',
    upstream: `I look.<|im_end|>\n<|im_start|>assistant${DIALECTS['HyperCLOVA X']!.write([paris])}`,
    text: 'I look.',
    calls: expected([paris]),
  },
  { name: 'text of Functionary alone', upstream: '>>>all\nHello.\n>>> x\n', text: 'Hello.\n>>> x\n' },
  ...CUT.map((upstream) => ({
    name: `cut behind ${upstream}`,
    upstream,
    text: upstream,
    problem: 'cut' as const,
  })),
  {
    name: 'an answer of gpt-oss behind its call',
    upstream: `${DIALECTS['gpt-oss']!.write([paris])}<|start|>assistant<|channel|>final<|message|>Done.`,
    text: 'Done.',
    calls: expected([paris]),
  },
  {
    name: 'text that looks like something else, by what its tag says',
    upstream: DIALECTS['DeepSeek V4']!.write([['search', { query: 'null', extra: '12' }]]),
    calls: expected([['search', { query: 'null', extra: '12' }]]),
  },
  {
    name: 'text where none is allowed, whatever its tag says',
    upstream: DIALECTS['DeepSeek V4']!.write([['get_weather', { days: '12' }]]),
    calls: expected([['get_weather', { days: 12 }]]),
  },
  {
    name: 'tags of Granite that are never closed',
    upstream:
      '<function_call> {"name": "get_weather", "arguments": {"city": "Paris"}} <function_call> {"name": "ping", "arguments": {}} ',
    calls: expected([paris, ping]),
  },
  {
    name: 'lists in Python in front of text',
    upstream: '[get_weather(city="Paris"), ping()]\n[get_weather( city=\'Paris\' )] so.',
    text: 'so.',
    calls: expected([paris, ping, paris]),
  },
  {
    name: 'escapes in Python',
    upstream: `[run_command(command='it\\'s "a"\\n\\\\d \\u00e9', env={'A': "b", "C": 'd'}, timeout=-1e3)]`,
    calls: [
      [
        'run_command',
        String.raw`{"command":"it's \"a\"\n\\d \u00e9","env":{"A":"b","C":"d"},"timeout":-1e3}`,
      ],
    ],
  },
  {
    name: 'Python without keywords in a fence for tools',
    upstream: '```tool_code\nget_weather("Paris")\n```',
    text: '```tool_code\nget_weather("Paris")\n```',
    problem: 'malformed',
  },
  {
    name: 'a call behind the mention of a marker',
    upstream: `The token <|channel|> and ${DIALECTS['GLM 4.5']!.write([paris])}`,
    text: 'The token <|channel|> and',
    calls: expected([paris]),
  },
];
