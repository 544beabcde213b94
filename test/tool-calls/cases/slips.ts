import { AGENT_TOOLS } from '../agent-tools.js';
import { callOf, type ToolCallCase } from '../tool-call-case.js';

const paris = ['get_weather', '{"city":"Paris"}'] as const;
const twoDays = ['get_weather', '{"city":"Paris","days":2}'] as const;
const json = '{"name": "get_weather", "arguments": {"city": "Paris"}}';
const fenced = `\`\`\`json\n${json}\n\`\`\``;
const inTag = (body: string): string => `<tool_call>\n${body}\n</tool_call>`;
const args = (object: string): string => inTag(`{"name": "get_weather", "arguments": ${object}}`);
const gemma = (object: string): string => `<|tool_call>call:get_weather${object}<tool_call|>`;
const dsml = (bar: string): string => {
  const tag = (word: string): string => `<${bar}DSML${bar}${word}>`;
  const closer = (word: string): string => `</${bar}DSML${bar}${word}>`;
  return [
    tag('tool_calls'),
    tag('invoke name="get_weather"'),
    `${tag('parameter name="city" string="true"')}Paris${closer('parameter')}`,
    closer('invoke'),
    closer('tool_calls'),
  ].join('\n');
};
const inAtem =
  '<atem:invoke name="get_weather">\n<atem:parameter name="city">Paris</atem:parameter>\n</atem:invoke>';
const kimi = (end: string): string =>
  `<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>${end}`;

/** Slips in JSON, the call that is meant, and its repairs. */
const IN_JSON: Readonly<Record<string, readonly [string, readonly [string, string], ...string[]]>> = {
  'a text without its first quote': [args('{"city": Paris", "days": 2}'), twoDays, 'unquoted_text'],
  'a text without quotes': [args('{"city": Paris, "days": 2}'), twoDays, 'unquoted_text'],
  'texts without quotes on lines of their own': [
    args('{\n  "city": Paris,\n  "days": 2\n}'),
    twoDays,
    'unquoted_text',
  ],
  'a text of several words without quotes': [
    args('{"city": Paris, Texas, "days": 2}'),
    ['get_weather', '{"city":"Paris, Texas","days":2}'],
    'unquoted_text',
  ],
  'a text without quotes from a list': [
    args('{"city": "Paris", "unit": celsius}'),
    ['get_weather', '{"city":"Paris","unit":"celsius"}'],
    'unquoted_text',
  ],
  'no quotes at all': [
    inTag('{name: get_weather, arguments: {city: Paris, days: 2}}'),
    twoDays,
    'unquoted_key',
    'unquoted_name',
    'unquoted_text',
  ],
  'a literal in place of a text': [
    inTag('{"name": "search", "arguments": {"query": null}}'),
    ['search', '{"query":null}'],
  ],
  'a literal in front of a key that holds a brace': [
    inTag('{"name": "search", "arguments": {"query": null, "} ": "a"}}'),
    ['search', '{"query":null,"} ":"a"}'],
  ],
  'no quotes between the tokens of Gemma': [
    gemma('{city:Paris,days:2}'),
    twoDays,
    'unquoted_key',
    'unquoted_text',
  ],
  'signs of equality between the tokens of Gemma': [
    gemma('{city:<|"|>Paris<|"|>,days=2}'),
    twoDays,
    'unquoted_key',
    'foreign_separator',
  ],
  'a key without its second quote': [args('{"city: "Paris", "days": 2}'), twoDays, 'unclosed_key'],
  'a key that ends in a colon': [
    inTag('{"name": "run_command", "arguments": {"command": "a", "env": {"X:": "1"}}}'),
    ['run_command', '{"command":"a","env":{"X:":"1"}}'],
  ],
  'a brace of the arguments that is doubled': [
    args('{{"city": "Paris", "days": 2}}'),
    twoDays,
    'double_braces',
  ],
  'a doubled brace that is closed once': [
    inTag('{"name": "get_weather", "arguments": {{"city": "Paris"}}'),
    paris,
    'double_braces',
    'missing_closer',
  ],
  'a bracket in place of a brace': [args('{"city": "Paris", "days": 2]'), twoDays, 'mistaken_closer'],
  'a text of Gemma without its second token': [
    '<|tool_call>call:run_command{command:<|"|>a}b}<tool_call|>',
    ['run_command', '{"command":"a}b"}'],
    'unquoted_key',
    'missing_closer',
  ],
  'a text of Gemma in a list without its second token': [
    '<|tool_call>call:search{tags:[<|"|>a]}<tool_call|>',
    ['search', '{"tags":["a"]}'],
    'unquoted_key',
    'missing_closer',
  ],
  'a text of Gemma that holds its marker': [
    '<|tool_call>call:run_command{command:<|"|>a}<tool_call|>" b<|"|>}<tool_call|>',
    ['run_command', '{"command":"a}<tool_call|>\\" b"}'],
    'unquoted_key',
  ],
  'literals in capitals': [
    inTag('{"name": "search", "arguments": {"exact": TRUE, "query": Null}}'),
    ['search', '{"exact":true,"query":null}'],
    'python_literal',
  ],
  'white space around a key': [args('{"city\n": "Paris", " days ": 2}'), twoDays, 'raw_control_character'],
  'a comment of Python behind a comma': [
    args('{\n  "city": "Paris", # where\n  "days": 2\n}'),
    twoDays,
    'comment',
  ],
  'a text without quotes in front of a key without a comma': [
    args('{"city": Paris "days": 2}'),
    twoDays,
    'unquoted_text',
    'missing_comma',
  ],
  'a key of several words without quotes': [
    '<|tool_call>call:run_command{command:<|"|>a<|"|>,env:{Basic Größe:<|"|>x<|"|>}}<tool_call|>',
    ['run_command', '{"command":"a","env":{"Basic Größe":"x"}}'],
    'unquoted_key',
  ],
  'a key with a tab': [
    '<|tool_call>call:run_command{command:<|"|>a<|"|>,env:{A\tB:<|"|>x<|"|>}}<tool_call|>',
    ['run_command', String.raw`{"command":"a","env":{"A\tB":"x"}}`],
    'unquoted_key',
  ],
  'a token of Gemma behind a text in quotes': [
    gemma(`{days:2,city:'Paris'<|"|>}`),
    ['get_weather', '{"days":2,"city":"Paris"}'],
    'unquoted_key',
    'single_quotes',
    'stray_quote',
  ],
  'parts of a text that are joined': [args('{"city": "Par" + "is", "days": 2}'), twoDays, 'joined_texts'],
  'parts of a text that are joined over lines': [
    args('{"city":\n  "Par" +\n  "is",\n "days": 2}'),
    twoDays,
    'joined_texts',
  ],
  'parts that a text joins': [
    args('{"city": "x = "a" + "b"", "days": 2}'),
    ['get_weather', String.raw`{"city":"x = \"a\" + \"b\"","days":2}`],
    'unescaped_quote',
  ],
  'signs of Chinese': [args('{"city"：“Paris”，"days"：2}'), twoDays, 'foreign_separator', 'smart_quotes'],
  'a semicolon': [args('{"city": "Paris"; "days": 2}'), twoDays, 'foreign_separator'],
  'a semicolon behind quotes in a text': [
    args('{"city": "a "b"; c", "days": 2}'),
    ['get_weather', String.raw`{"city":"a \"b\"; c","days":2}`],
    'unescaped_quote',
  ],
  'blanks that do not break': [args('{\u00a0"city":\u00a0"Paris",\u3000"days": 2}'), twoDays],
  'a bracket in place of a brace behind a text': [
    args('{"days": 2, "city": "Paris"]'),
    ['get_weather', '{"days":2,"city":"Paris"}'],
    'mistaken_closer',
  ],
  'a bracket behind quotes in a text': [
    args('{"days": 2, "city": "["Paris"] it is"}'),
    ['get_weather', String.raw`{"days":2,"city":"[\"Paris\"] it is"}`],
    'unescaped_quote',
  ],
};

/** Slips in tags, markers and the places of calls. */
const IN_MARKUP: Readonly<Record<string, readonly [string, readonly [string, string]]>> = {
  'the tag of a parameter for that of the function': [
    inTag('<parameter=get_weather>\n<parameter=city>\nParis\n</parameter>\n</function>'),
    paris,
  ],
  'that tag without a wrapper': [
    '<parameter=get_weather>\n<parameter=city>\nParis\n</parameter>\n</function>\n</tool_call>',
    paris,
  ],
  'that tag without a wrapper and without parameters': ['<parameter=ping>\n</function>', ['ping', '{}']],
  'names without a sign in front of them': [
    inTag(
      '<function get_weather>\n<parameter city>Paris</parameter>\n<parameter days>2</parameter>\n</function>',
    ),
    twoDays,
  ],
  'names without their second quotes': [
    '<invoke name="get_weather>\n<parameter name="city>Paris</parameter>\n</invoke>',
    paris,
  ],
  'a parameter that is closed by a shorter word': [
    '<invoke name="get_weather">\n<parameter name="city">Paris</param>\n</invoke>',
    paris,
  ],
  'an element of that word in a value': [
    callOf('run_command', { command: '<param name="a">1</param>' }),
    ['run_command', '{"command":"<param name=\\"a\\">1</param>"}'],
  ],
  'a key that is closed like a value': [
    '<tool_call>get_weather\n<arg_key>city</arg_value>\n<arg_value>Paris</arg_value>\n</tool_call>',
    paris,
  ],
  'the opening tag of a function behind JSON': ['<function=get_weather>{"city": "Paris"}<function>', paris],
  'a low line in place of the colon of a namespace': [
    '<minimax_tool_call>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n</invoke>\n</minimax_tool_call>',
    paris,
  ],
  'double lines as bars of DeepSeek': [dsml('‖'), paris],
  'two plain bars of DeepSeek': [dsml('||'), paris],
  'a marker that is repeated': ['[TOOL_CALLS]get_weather[ARGS][ARGS]{"city": "Paris"}', paris],
  'a function that is closed at once': [
    inTag('<function=get_weather</function>\n<parameter=city>Paris</parameter>'),
    paris,
  ],
  'a function that is closed at once, without a wrapper': [
    '<function=get_weather</function>\n<parameter=city>Paris</parameter>\n</tool_call>',
    paris,
  ],
  'signs of equality for the ends of opening tags': [
    inTag(
      '<function=get_weather>\n<parameter=city=Paris</parameter>\n<parameter=days=2</parameter>\n</function>',
    ),
    twoDays,
  ],
  'the end of a line for that of an opening tag': [
    inTag('<function=get_weather>\n<parameter=city\nParis\n</parameter>\n</function>'),
    paris,
  ],
  'a quote behind a name': [
    inTag('<function=get_weather">\n<parameter=city>Paris</parameter>\n</function>'),
    paris,
  ],
  'a closing tag of another wrapper': [
    inTag(`<function=get_weather>\n<parameter=city>Paris</parameter>\n</function>\n</function_invocation>`),
    paris,
  ],
  'a colon behind a key': [
    '<tool_call>get_weather<arg_key>city</arg_key>:\n<arg_value>Paris</arg_value>\n</tool_call>',
    paris,
  ],
  'the end of a value behind a name': ['<tool_call>list_files</arg_value></tool_call>', ['list_files', '{}']],
  'the end of a value behind a name at the end': ['<tool_call>list_files</arg_value>', ['list_files', '{}']],
  'all arguments in a parameter of XML': [
    '<function name="get_weather"><param name="arguments">{"city": "Paris"}</param></function>',
    paris,
  ],
  'all arguments as properties': [
    `<function name="get_weather"><param name="properties">{'city': 'Paris'}</param></function>`,
    paris,
  ],
  'the end of the arguments of Kimi': [
    kimi('{"city": "Paris"}<|tool_call_argument_end|><|tool_call_end|><|tool_calls_section_end|>'),
    paris,
  ],
  'Gemma without its markers': ['call:get_weather{city:<|"|>Paris<|"|>}', paris],
  'Gemma without its markers and tokens': ['call:get_weather{city:Paris,days:2}', twoDays],
  'Gemma with its name twice': ['<|tool_call>call:get_weather:get_weather{city: "Paris"}<tool_call|>', paris],
  'the turn of the tool behind Gemma': [
    '<|tool_call>call:get_weather{city:<|"|>Paris<|"|>}<tool_call|><|tool_response>Sun',
    paris,
  ],
  'a colon behind the kind of gpt-oss': [
    '<|channel|>commentary to=functions.get_weather<|constrain|>json: <|message|>{"city":"Paris"}<|call|>',
    paris,
  ],
  'the opening marker of others behind Gemma': [
    '<|tool_call>call:get_weather{city:<|"|>Paris<|"|>}<|tool_call|>',
    paris,
  ],
  'the end of a turn of Qwen-Agent': ['✿FUNCTION✿: get_weather\n✿ARGS✿: {"city": "Paris"}\n✿RETURN✿', paris],
  'Python as a whole answer': ['get_weather(city="Paris", days=2)\n', twoDays],
  'Python without arguments as a whole answer': ['ping()', ['ping', '{}']],
  'an opening tag that is in the prompt': [
    'get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n</tool_call>',
    paris,
  ],
  'JSON in the tag of its language': [`<json>\n${json}\n</json>`, paris],
  'JSON in the tag of a response': [`<response>\n${json}\n</response>`, paris],
  'JSON in a fence for XML': [`\`\`\`xml\n${json}\n\`\`\``, paris],
  'the header of a message in front of tags': [
    ` to=get_weather<|message|><atem:function_calls>\n${inAtem}\n</atem:function_calls><|eot|>`,
    paris,
  ],
  'a header without an addressee in front of tags': [
    `<|start|>assistant<|message|><atem:function_calls>\n${inAtem}\n</atem:function_calls><|eom|>`,
    paris,
  ],
};

/** Calls that text presents, refuses or asks about, and code that is no call. */
const TEXT: Readonly<Record<string, string>> = {
  'a call that the model will not make': `I will not send this, as the city is wrong:\n\n${fenced}\n\nPlease check it.`,
  'a call that the model cannot make': `I can't send this:\n\n${fenced}\n\nThe city is missing.`,
  'a call that the model asks about': `Shall I run this?\n\n${fenced}\n\nPlease confirm first.`,
  'a call that the model proposes': `Would you like me to run the following?\n\n${fenced}\n\nIt costs nothing.`,
  'a call that a model was told to make': `The model is told to answer with\n${inTag(json)}\nand nothing else.`,
  'an indented call': `In the prompt:\n\n    ${inTag(json).replaceAll('\n', '\n    ')}\n\nThat was all.`,
  'Python with text behind it': 'get_weather(city="Paris") returns the weather.',
  'a line of Python with text behind it': 'get_weather(city="Paris")\n\nreturns the weather.',
  'Python with an argument that no tool has': 'get_weather(town="Paris")',
  'Python of no offered tool': 'get_time(city="Paris")',
  'Python without arguments and with text behind it': 'ping() checks the server.',
  'Python that lacks what is required': 'get_weather()',
  'a name in front of a mentioned tag': 'get_weather has an <arg_key>city</arg_key>.',
  'a name in front of a key that it has not':
    'get_weather\n<arg_key>town</arg_key>\n<arg_value>Paris</arg_value>\n</tool_call>',
  'a response that is no call': '<response>\n{"city": "Paris"}\n</response>',
  'a header in front of text': '<|message|>Hello.',
  'a sentence that begins like Gemma': 'call:get_weather is how it begins.',
  'the parameter of a function that is named like a tool': 'In `f`:\n<parameter=ping>\n1\n</parameter>',
  'markers of Functionary behind text': 'In Python, a>>>get_weather\n{"city": "Paris"}',
};

const BASH = ['Bash', '{"command":"ls -la"}'] as const;

export const slips: readonly ToolCallCase[] = [
  ...Object.entries(IN_JSON).map(([name, [upstream, call, ...repairs]]) => ({
    name,
    upstream,
    calls: [call],
    repairs: [repairs],
  })),
  ...Object.entries(IN_MARKUP).map(([name, [upstream, call]]) => ({ name, upstream, calls: [call] })),
  ...Object.entries(TEXT).map(([name, upstream]) => ({ name, upstream, text: upstream })),
  {
    name: 'lines of Python as a whole answer',
    upstream: 'get_weather(city="Paris")\nping()',
    calls: [paris, ['ping', '{}']],
  },
  {
    name: 'a prompt of Functionary behind text in the same line',
    upstream: '>>>all\nLet me look.>>>get_weather\n{"city": "Paris"}',
    text: 'Let me look.',
    calls: [paris],
  },
  {
    name: 'words without quotes where nothing declares a call',
    upstream: '{"name": "get_weather", "arguments": {"city": string}}',
    text: '{"name": "get_weather", "arguments": {"city": string}}',
    problem: 'malformed',
  },
  ...['', '\nObservation:', '\nObservation: '].map((end) => ({
    name: `an action and its input, with ${JSON.stringify(end)} behind them`,
    upstream: `Thought: I have to look.\nAction: get_weather\nAction Input: {"city": "Paris"}${end}`,
    text: 'Thought: I have to look.',
    calls: [paris],
  })),
  {
    name: 'an action whose input is in single quotes',
    upstream: "Thought: I look.\nAction: get_weather\nAction Input: {'city': 'Paris'}",
    text: 'Thought: I look.',
    calls: [paris],
  },
  {
    name: 'an action that is an object',
    upstream: `I look.\nAction:\n${json}<end_code>`,
    text: 'I look.\nAction:',
    calls: [paris],
  },
  {
    name: 'an action that is an object with text behind it',
    upstream: `Action:\n${json}\nis how it is written.`,
    text: `Action:\n${json}\nis how it is written.`,
  },
  {
    name: 'a heading in place of a text in quotes',
    upstream: gemma('{city:\n# Where\nParis}'),
    text: gemma('{city:\n# Where\nParis}'),
    problem: 'malformed',
  },
  {
    name: 'an intention that is not only one',
    upstream: `I will not only explain it but do it:\n\n${fenced}\n\nDone.`,
    text: 'I will not only explain it but do it:\n\nDone.',
    calls: [paris],
  },
  {
    name: 'a tag that is named like a tool in lower case',
    upstream: 'I look.\n\n<bash>\n<command>ls -la</command>\n</bash>',
    text: 'I look.',
    calls: [BASH],
    tools: AGENT_TOOLS,
  },
  {
    name: 'such a tag with text behind it',
    upstream: 'A step:\n\n<bash>\n<command>ls -la</command>\n</bash>\n\nand so on.',
    text: 'A step:\n\n<bash>\n<command>ls -la</command>\n</bash>\n\nand so on.',
    tools: AGENT_TOOLS,
  },
];
