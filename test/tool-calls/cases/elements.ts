import { type ToolDefinition } from '../../../src/chat/interfaces/tool-definition.js';
import { callOf, type ToolCallCase } from '../tool-call-case.js';

const paris = ['get_weather', '{"city":"Paris"}'] as const;
const twoDays = ['get_weather', '{"city":"Paris","days":2}'] as const;
const file = '<div><content>"x"</content></div>\n<path d="M0"/>';

/** Calls whose parameters are elements, or have no names. */
const CALLS: Readonly<Record<string, readonly [string, readonly [string, string]]>> = {
  'parameters as elements of a function': [
    '<tool_call>\n<function=get_weather>\n<city>Paris</city>\n<days>2</days>\n</function>\n</tool_call>',
    twoDays,
  ],
  'parameters as elements of an invocation': [
    '<invoke name="get_weather">\n<city>\nParis\n</city>\n</invoke>',
    paris,
  ],
  'elements around all parameters': [
    '<tool_call>\n<function=get_weather>\n<parameters>\n<city>Paris</city>\n<days>2</days>\n</parameters>\n</function>\n</tool_call>',
    twoDays,
  ],
  'a whole call as JSON in a function': [
    '<tool_call>\n<function=get_weather>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</function>\n</tool_call>',
    paris,
  ],
  'a type behind the name of a parameter': [
    '<tool_call>\n<function=get_weather>\n<parameter=city type="string">\nParis\n</parameter>\n<parameter=days type="integer">2</parameter>\n</function>\n</tool_call>',
    twoDays,
  ],
  'a function that is closed in front of its last parameter': [
    '<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n</function>\n<parameter=days>\n2\n</parameter>\n</tool_call>',
    twoDays,
  ],
  'opening tags in place of closing ones': [
    '<invoke name="get_weather">\n<parameter name="city">Paris<parameter>\n<parameter name="days">2<parameter>\n</invoke>',
    twoDays,
  ],
  'a name and arguments as an element': [
    '<tool_call>\nget_weather\n<arguments>\n{"city": "Paris"}\n</arguments>\n</tool_call>',
    paris,
  ],
  'a wrapper without the end of its tag': [
    '<tool_call\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>',
    paris,
  ],
  'words in front of JSON in a wrapper': [
    '<tool_call>\nI look up the weather.\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>',
    paris,
  ],
  'words in front of tags in a wrapper': [
    '<tool_call>\nLet me look:\n\n<function=get_weather>\n<parameter=city>Paris</parameter>\n</function>\n</tool_call>',
    paris,
  ],
  'a tool and its arguments, each named by an element': [
    '<tool_call>\n<tool_name>get_weather</tool_name>\n<tool_arguments>{"city": "Paris"}</tool_arguments>\n</tool_call>',
    paris,
  ],
  'an element with markup in it': [
    `<tool_call>\n<function=write_file>\n<path>a</path>\n<content>\n${file}\n</content>\n</function>\n</tool_call>`,
    ['write_file', JSON.stringify({ path: 'a', content: file })],
  ],
  'a parameter without a name': [
    '<tool_call>\n<function=get_weather>\n<parameter>Paris</parameter>\n</function>\n</tool_call>',
    paris,
  ],
  'a parameter without a name behind one with a name': [
    '<invoke name="get_weather"><parameter name="days">2</parameter><parameter>Paris</parameter></invoke>',
    ['get_weather', '{"days":2,"city":"Paris"}'],
  ],
  'name and value as elements of a parameter': [
    '<invoke name="get_weather">\n<parameter>\n<name>city</name>\n<value>Paris</value>\n</parameter>\n<parameter><name>days</name><value>2</value></parameter>\n</invoke>',
    twoDays,
  ],
  'name and arguments as elements': [
    '<tool_use>\n<name>get_weather</name>\n<arguments>{"city": "Paris"}</arguments>\n</tool_use>',
    paris,
  ],
  'name and arguments as elements of a call': [
    '<tool_call><name>get_weather</name><arguments>\n{"city": "Paris", "days": 2}\n</arguments></tool_call>',
    twoDays,
  ],
  'name and parameters as elements': [
    '<tool_use>\n<tool_name>get_weather</tool_name>\n<parameters>\n<city>Paris</city>\n</parameters>\n</tool_use>',
    paris,
  ],
  'name and parameters as elements of a function without a name': [
    '<function_calls>\n<invoke>\n<tool_name>get_weather</tool_name>\n<parameters>\n<city>Paris</city>\n</parameters>\n</invoke>\n</function_calls>',
    paris,
  ],
  'an id in front of the name': [
    '<tool_use>\n<id>t1</id>\n<name>get_weather</name>\n<input>{"city": "Paris"}</input>\n</tool_use>',
    paris,
  ],
  'a server in front of the name': [
    '<use_mcp_tool>\n<server_name>weather</server_name>\n<tool_name>get_weather</tool_name>\n<arguments>\n{"city": "Paris"}\n</arguments>\n</use_mcp_tool>',
    paris,
  ],
  'a function that is the name': [
    '<tool_call>\n<function>get_weather</function>\n<arguments>{"city": "Paris"}</arguments>\n</tool_call>',
    paris,
  ],
  'the name as an attribute of the wrapper': [
    '<tool_use name="get_weather">\n{"city": "Paris"}\n</tool_use>',
    paris,
  ],
  'a fence in the arguments': [
    '<tool_use>\n<name>get_weather</name>\n<arguments>\n```json\n{"city": "Paris"}\n```\n</arguments>\n</tool_use>',
    paris,
  ],
  'a tag named like a tool in a wrapper': [
    '<tool_call>\n<get_weather>\n<city>Paris</city>\n<days>2</days>\n</get_weather>\n</tool_call>',
    twoDays,
  ],
  'parameters by another word': [
    '<invoke name="get_weather">\n<param name="city">Paris</param>\n<param name="days">2</param>\n</invoke>',
    twoDays,
  ],
  'arguments by another word': [
    '<tool_call>\n<function=get_weather>\n<arg name="city">Paris</arg>\n</function>\n</tool_call>',
    paris,
  ],
  'a wrapper whose words a hyphen joins': [
    '<tool-call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool-call>',
    paris,
  ],
  'a wrapper with a hyphen, around tags': [
    '<function-calls>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n</invoke>\n</function-calls>',
    paris,
  ],
  'a name and JSON in brackets in upper case': ['[CALL:get_weather]{"city": "Paris"}[/CALL]', paris],
  'JSON in the tag of definitions': [
    '<tools>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tools>',
    paris,
  ],
  'a name and JSON in brackets': ['[call:get_weather]{"city": "Paris"}[/call]', paris],
  'a name and JSON in brackets, in lines': ['[call:get_weather]\n{"city": "Paris"}\n[/call]\n', paris],
  'a call without arguments in brackets': ['[call:list_files][/call]', ['list_files', '{}']],
  'JSON in brackets': [
    '[TOOL_CALL]{"name": "get_weather", "arguments": {"city": "Paris"}}[/TOOL_CALL]',
    paris,
  ],
};

/** Calls in tags that are named like a tool, which must stand at the end of an answer. */
const NAMED: Readonly<Record<string, readonly [string, readonly [string, string]]>> = {
  'a tag named like a tool': ['<get_weather>\n<city>Paris</city>\n<days>2</days>\n</get_weather>', twoDays],
  'a tag named like a tool in one line': ['<get_weather><city>Paris</city></get_weather>', paris],
  'a tag named like a tool, with JSON': ['<get_weather>\n{"city": "Paris"}\n</get_weather>', paris],
  'a tag with the name of a tool': [
    '<tool name="get_weather">\n<city>Paris</city>\n<days>2</days>\n</tool>',
    twoDays,
  ],
  'a tag with the name of a tool, and of its parameters': [
    '<tool name="get_weather">\n<parameter name="city">Paris</parameter>\n<param name="days">2</param>\n</tool>',
    twoDays,
  ],
  'a tag with the name of a tool, with JSON': ['<tool name="get_weather">{"city": "Paris"}</tool>', paris],
  'a tag with the name of a tool, and arguments as attributes': [
    '<tool name="get_weather" city="Paris"/>',
    paris,
  ],
  'the name of a tool in an element, and JSON in another': [
    '<tool>get_weather</tool><tool_input>{"city": "Paris"}</tool_input>',
    paris,
  ],
  'the name of a tool in an element, and its only argument in another': [
    '<tool>read_file</tool>\n<tool_input>a b.txt</tool_input>',
    ['read_file', '{"path":"a b.txt"}'],
  ],
  'the name of a tool in an element, and elements in another': [
    '<tool>get_weather</tool>\n<tool_input>\n<city>Paris</city>\n<days>2</days>\n</tool_input>',
    twoDays,
  ],
  'a tag named like a tool without parameters': ['<list_files>\n</list_files>', ['list_files', '{}']],
  'arguments as attributes': ['<get_weather city="Paris" days=\'2\' />', twoDays],
  'arguments as attributes, and an element': [
    '<get_weather city="Paris">\n<days>2</days>\n</get_weather>',
    twoDays,
  ],
  'markup and quotes in an attribute': [
    '<run_command command="grep &quot;a &amp;&amp; b&quot; x > y"/>',
    ['run_command', '{"command":"grep \\"a && b\\" x > y"}'],
  ],
  'a tag named like a tool, and nothing in it': ['<list_files/>', ['list_files', '{}']],
  'a tag named like a tool, with an element around its parameters': [
    '<get_weather>\n<args>\n<city>Paris</city>\n</args>\n</get_weather>',
    paris,
  ],
  'a tag named like a tool, with elements of Roo Code around the parameters': [
    '<read_file>\n<args>\n<file>\n<path>a.ts</path>\n<offset>3</offset>\n</file>\n</args>\n</read_file>',
    ['read_file', '{"path":"a.ts","offset":3}'],
  ],
  'a tag named like a tool, and the end of the turn': [
    '<get_weather>\n<city>Paris</city>\n</get_weather><|im_end|>',
    paris,
  ],
  'a tag named like a tool, with markup in it': [
    `<write_file>\n<path>a</path>\n<content>\n${file}\n</content>\n</write_file>`,
    ['write_file', JSON.stringify({ path: 'a', content: file })],
  ],
};

/** Documents and sentences that stay text. */
const TEXTS: Readonly<Record<string, string>> = {
  'a tag named like a tool in a sentence':
    'Write <read_file><path>a</path></read_file> and <ping></ping> so.',
  'a tag named like a tool, and a sentence behind it':
    'Usage:\n<read_file>\n<path>File path here</path>\n</read_file>\n\nThen wait for the result.',
  'a tag with the name of a tool in a sentence': 'A <tool name="ping"></tool> holds its parameters.',
  'a tag with the name of a tool, and its declaration':
    '<tool name="read_file">\n<parameter name="path" type="string"/>\n</tool>',
  'the name of a tool in an element of a sentence':
    'It writes <tool>ping</tool><tool_input>{}</tool_input> and waits.',
  'the name of a tool in an element, and a sentence behind its arguments':
    '<tool>ping</tool><tool_input>{}</tool_input>\n\nThat is the form of the agent.',
  'the name of no tool in an element': '<tool>hammer</tool><tool_input>{}</tool_input>',
  'a tag with the name of no tool': '<tool name="hammer">\n<city>Paris</city>\n</tool>',
  'a tag with the name of a tool, and a list around': '<tools>\n<tool name="ping" since="2"/>\n</tools>',
  'a tag named like a tool in a fence': '```xml\n<read_file>\n<path>a</path>\n</read_file>\n```',
  'a tag named like a tool, with two files':
    '<read_file>\n<args>\n<file>\n<path>a</path>\n</file>\n<file>\n<path>b</path>\n</file>\n</args>\n</read_file>',
  'a tag named like a tool, with other elements': '<search>\n<item>x</item>\n</search>',
  'a tag named like a tool, without its parameters': '<write_file>\n<path>a</path>\n</write_file>',
  'a tag named like a tool that is never closed': '<read_file>\n<path>a</path>\n',
  'a tag named like a tool, with a value that is never closed': '<read_file>\n<path>a',
  'a tag named almost like a tool': '<Read_File>\n<path>a</path>\n</Read_File>',
  'words in a wrapper, and JSON of no tool':
    '<tool_call>\nIt holds JSON:\n{"name": "get_time", "arguments": {}}',
  'words in a wrapper alone': '<tool_call>\nholds a call\n{',
  'a call of no tool in brackets': '[call:get_time]{"city": "Paris"}[/call]',
  'brackets in a sentence': 'The form [call:name] is old, and [call:get_weather] too. [/call] ends it.',
  'a definition in the tag of definitions':
    '<tools>\n{"name": "get_weather", "description": "Weather", "parameters": {"type": "object"}}\n</tools>',
  'an element without content in a sentence': 'Put a <list_files/> there.',
  'an attribute that the tool does not have': '<get_weather city="Paris" key="1"/>',
  'attributes without a required one': '<get_weather days="2"/>',
  'attributes in front of text': '<get_weather city="Paris"/>\n\nThis shows the weather.',
  'an attribute that is cut off': '<get_weather city="Par',
  'a name that is no tool, as an element':
    '<tool_use>\n<name>get_time</name>\n<arguments>{}</arguments>\n</tool_use>',
};

const offer = (name: string, ...keys: string[]): ToolDefinition => ({
  type: 'function',
  function: {
    name,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(keys.map((key) => [key, {}])),
      required: keys,
    },
  },
});

const MCP =
  '<use_mcp_tool>\n<server_name>git</server_name>\n<tool_name>log</tool_name>\n<arguments>{"n":2}</arguments>\n</use_mcp_tool>';

/** Lists and objects that are written as elements, and their JSON. */
const NESTED: Readonly<Record<string, readonly [string, string, string]>> = {
  'items of a list': ['search', '<tags>\n  <item>a</item>\n  <item>b</item>\n</tags>', '{"tags":["a","b"]}'],
  'items by another word': ['search', '<tags><tag>a</tag><tag>b</tag></tags>', '{"tags":["a","b"]}'],
  'one item by another word': ['search', '<tags><tag>a</tag></tags>', '{"tags":["a"]}'],
  'numbered items': ['search', '<tags><0>a</0><1>b</1></tags>', '{"tags":["a","b"]}'],
  'a list in several elements': ['search', '<tags>a</tags>\n<tags>b</tags>', '{"tags":["a","b"]}'],
  'an object': ['run_command', '<env><A>1</A><B>x</B></env>', '{"env":{"A":"1","B":"x"}}'],
  'objects in a list': [
    'edit_file',
    '<edits><item><old>a</old><new><b>c</b></new></item></edits>',
    '{"edits":[{"old":"a","new":"<b>c</b>"}]}',
  ],
};

export const elements: readonly ToolCallCase[] = [
  ...Object.entries(NESTED).map(([name, [tool, upstream, json]]) => ({
    name: `${name}, as elements`,
    upstream: `<${tool}>\n${upstream}\n</${tool}>`,
    calls: [[tool, json] as const],
  })),
  {
    name: 'a list as elements in a parameter',
    upstream: callOf('search', { tags: '\n<item>a</item>\n<item>b</item>\n' }),
    calls: [['search', '{"tags":["a","b"]}']],
    repairs: [['elements']],
  },
  {
    name: 'markup that is no list in the place of one',
    upstream: callOf('search', { tags: '<b>a</b> and <i>b</i>' }),
    calls: [['search', '{"tags":["<b>a</b> and <i>b</i>"]}']],
  },
  {
    name: 'elements of calls right behind each other',
    upstream: '<read_file><path>a</path></read_file><read_file><path>b</path></read_file>',
    calls: [
      ['read_file', '{"path":"a"}'],
      ['read_file', '{"path":"b"}'],
    ],
  },
  {
    name: 'a closing tag over two lines',
    upstream: '<read_file><path>a</\n  path></read_file>',
    calls: [['read_file', '{"path":"a"}']],
  },
  {
    name: 'a server whose tools are offered with its name',
    upstream: MCP,
    tools: [offer('mcp__git__log', 'n'), offer('mcp__svn__log', 'n')],
    calls: [['mcp__git__log', '{"n":2}']],
  },
  {
    name: 'a tool that is named like the tag of other models',
    upstream: MCP,
    tools: [offer('use_mcp_tool', 'server_name', 'tool_name', 'arguments')],
    calls: [['use_mcp_tool', '{"server_name":"git","tool_name":"log","arguments":{"n":2}}']],
  },
  ...Object.entries({ ...CALLS, ...NAMED }).map(([name, [upstream, call]]) => ({
    name,
    upstream: `I look.\n\n${upstream}`,
    text: 'I look.',
    calls: [call],
  })),
  ...Object.entries(CALLS).map(([name, [upstream, call]]) => ({
    name: `${name}, between calls and text`,
    upstream: `${callOf('ping')}\n${upstream}\nDone.`,
    text: 'Done.',
    calls: [['ping', '{}'] as const, call],
  })),
  {
    name: 'several tags named like tools',
    upstream: Object.values(NAMED)
      .map(([upstream]) => upstream)
      .join('\n\n'),
    calls: Object.values(NAMED).map(([, call]) => call),
  },
  ...Object.entries(TEXTS).map(([name, upstream]) => ({ name, upstream, text: upstream })),
  {
    name: 'two parameters without names that may be either',
    upstream:
      '<tool_call><function=write_file><parameter>a</parameter><parameter>b</parameter></function></tool_call>',
    text: '<tool_call><function=write_file><parameter>a</parameter><parameter>b</parameter></function></tool_call>',
    problem: 'malformed',
  },
  {
    name: 'a value in an attribute of its parameter',
    upstream: '<invoke name="get_weather">\n<parameter name="city" value="Paris"></parameter>\n</invoke>',
    text: '<invoke name="get_weather">\n<parameter name="city" value="Paris"></parameter>\n</invoke>',
    problem: 'malformed',
  },
  {
    name: 'a call behind a tag named like a tool that is only mentioned',
    upstream: `<read_file>\n<path> is how it begins.\n\n${callOf('ping')}`,
    text: '<read_file>\n<path> is how it begins.',
    calls: [['ping', '{}']],
  },
];
