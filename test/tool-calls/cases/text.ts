import { callOf, type ToolCallCase } from '../tool-call-case.js';

const call = callOf('get_weather', { city: 'Paris' });
const json = '{"name":"get_weather","arguments":{"city":"Paris"}}';

/** Answers without a call, which pass unchanged. */
const PROSE: Readonly<Record<string, string>> = {
  'plain text': 'Hello, world.\n',
  'white space around text': '\n\n  Hello \n\n',
  'a mention of the tag': 'The <tool_call> tag opens a call.',
  'a mention of all tags':
    'Tags are <tool_call>, <function=...> and <parameter=...>, closed by </tool_call>.',
  'elements that hold other JSON':
    '<action>{"type": "submit", "name": "form"}</action>\n<call>{"id": 7}</call> <call> and </action>',
  'a mention of custom elements':
    'Use <tool-call name="x"> or <tool-result></tool-result>, and <user-card/>.',
  'a mention of a real function tag': 'I could write <tool_call><function=get_weather> but will not.',
  'the tag at the end': 'It begins with <tool_call>',
  'an empty call': 'Nothing: <tool_call></tool_call> and <tool_call>\n\n</tool_call>.',
  'text in the tag': '<tool_call>get the weather of Paris</tool_call>',
  'the beginnings of tags': 'a < b, <t, <tool, <tool_cal, <function, <invoke, [TOOL, <|python',
  'the beginning of a tag at the end': 'so <tool_ca',
  'inline code with a tag': 'Write `<tool_call>` first.',
  'inline code with a whole call':
    'Like `<tool_call><function=ping></function></tool_call>` or ``<function=ping></function>``.',
  'inline code with backticks in it': '`` a ` <function=ping></function> ` b `` end',
  'three backticks in a line': 'Like ```<function=ping></function>``` so.',
  'a fence with a call': `Example:\n\n\`\`\`xml\n${call}\n\`\`\`\n\nThat is it.`,
  'a fence without a label, with a call': `\`\`\`\n${call}\n\`\`\``,
  'a fence of tildes with a call': `~~~\n${call}\n~~~\n`,
  'a longer fence with a shorter one in it': `\`\`\`\`md\n\`\`\`\n${call}\n\`\`\`\n${call}\n\`\`\`\`\nend`,
  'a fence of backticks in one of tildes': `~~~\n\`\`\`\n${call}\n~~~\nend`,
  'an indented fence with a call': `1. So:\n   \`\`\`xml\n   ${call.replaceAll('\n', '\n   ')}\n   \`\`\`\n`,
  'a fence in a quotation': `> \`\`\`\n> ${call.replaceAll('\n', '\n> ')}\n> \`\`\`\n`,
  'a fence behind a list mark': `- \`\`\`\n  ${call.replaceAll('\n', '\n  ')}\n  \`\`\`\n`,
  'a fence that is never closed': `\`\`\`\n${call}\n`,
  'a fence of Windows lines': `\`\`\`xml\r\n${call.replaceAll('\n', '\r\n')}\r\n\`\`\`\r\n`,
  'a fence with JSON that is no call': '```json\n{"name": "my-app", "version": "1.0.0"}\n```\n',
  'a fence with JSON of no offered tool': '```json\n{"name":"get_time","arguments":{"city":"Paris"}}\n```',
  'a fence with the definition of a tool':
    '```json\n{"name":"get_weather","description":"Weather","parameters":{"type":"object","properties":{}}}\n```',
  'a fence with the schema of a tool':
    '```json\n{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"}}}}\n```',
  'a fence with the name of a tool alone': '```json\n{"name":"get_weather"}\n```',
  'a fence with an array': '```json\n[1, 2, {"name": "x"}]\n```',
  'a fence with broken JSON': '```json\n{"a": }\n```',
  'a fence with a call in another language': `\`\`\`python\ncall(${json})\n\`\`\``,
  'a fence with an empty object': '```json\n{}\n```',
  'a fence with an open brace': '```\n{\n```\n`x`',
  'JSON that is no call': '{"answer": 42, "list": [1, 2]}',
  'JSON over several lines that is no call': '{\n  "type": "report",\n  "name": "x",\n  "arguments": {}\n}\n',
  'lines of JSON with a member that calls have not': `${json.replace('}}', '},"expected":3}')}\n${json.replace('}}', '},"expected":4}')}\n`,
  'an array of JSON with a member that calls have not': `[${json.replace('}}', '},"expected":"sunny"}')}]`,
  'a route with the name of a tool':
    '{"name":"search","parameters":{"query":"q","tags":[]},"url":"/v1/search","method":"GET"}',
  'a fence with a member that calls have not': `\`\`\`json\n${json.replace('}}', '},"expected":3}')}\n\`\`\``,
  'a link with a call in Python': '[get_weather(city="Paris")](docs/x.md)',
  'JSON with the name of a tool, and no arguments': '{"name": "get_weather", "version": 2}',
  'an array that is no call': '["a", "b"]\n',
  'a list in brackets': '[x] done\n[ ] open',
  'an open brace': '{',
  'braces in text': '{see below} and {"name"',
  'JSON of a call behind text': `Sure: ${json}`,
  'a long JSON text': JSON.stringify({ type: 'x'.repeat(6000), name: 'get_weather', arguments: {} }),
  'markers without calls': '[TOOL_CALLS] are markers, <|python_tag|> too. [TOOL_CALLS][x]',
  'code behind a marker': '<|python_tag|>print("hi")',
  'markers of all kinds':
    'Tokens are <|channel|>, <|start|>assistant, <|tool_call_begin|>, <｜tool▁calls▁begin｜>, <｜tool▁sep｜>, <|plugin|> etc.',
  'the beginnings of markers': 'a <| b <｜ c <|chan <｜tool <｜DS <minimax: <arg_ [TOOL_ <|tool_call',
  'a marker, and the name of a tool':
    '<|channel|>commentary on ping. <|tool_call_begin|>functions.ping:0 runs.',
  'a message of gpt-oss': 'So: <|channel|>final<|message|>{"city": "Paris"}',
  'a message to nobody': 'So: <|channel|>commentary<|message|>I will look.',
  'markers of Solar Open, Kimi K3 and MiniMax M3':
    'See <|tool_call:start|>, <|open|>tools<|sep|>, ]<]minimax[>[<tool_call> and a[b[0]]<]c, then <|tool_call:start|>ping',
  'a header of Kimi K3 that is too long': `<|open|>tools<|sep|><|open|>call tool="ping" index="${'1'.repeat(300)}"<|sep|><|close|>call<|sep|><|close|>tools<|sep|>`,
  'an example of MiniMax M3':
    'For example:\n]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="ping">]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>',
  'the name of a tool that needs arguments, in a tag': 'Not <tool_call>get_weather</tool_call> alone.',
  'mentions of tokens with bars':
    'A <|DSML|invoke> and <|DSML|tool_calls>, <|DSML|, <|DS, <|message_model|>{"a": 1}, <tool_call:6124c78e>, <tool_call:61, a <| b',
  'a key and its value outside of a call': '<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>',
  'tags with namespaces':
    '<minimax:tool_call> opens, </minimax:tool_call> closes, <｜DSML｜invoke name="x"> too, <xml:function> not.',
  'a link with the name of a tool': '[ping()](https://example.org) is a function.',
  'a reference with the name of a tool': '[ping()][1] and so on.\n\n[1]: x',
  'a word that is a marker, too': 'functools is a module; functools[0] is not.',
  'a name in brackets and much white space': `[ping()${' '.repeat(70)}] and so on`,
  'a list of names': '[ping, get_weather]',
  'a list of code that is no call': '[ping() for i in range(3)]',
  'a call in Python without keywords': '[get_weather("Paris")]',
  'calls in Python of no offered tool': '[get_time(city="Paris"), ping()]',
  'a call in Python in a sentence': 'Use get_weather(city="Paris") or [ping()] for it.',
  'lists in a sentence that are no calls':
    'So [get_weather(x="Paris")], [get_weather("Paris")], [get_time(city="Paris")], [get_weather(city) for x in y], [get_weather',
  'a fence with a call in Python': '```python\nget_weather(city="Paris")\n```',
  'a fence for tools with other code': '```tool_code\nprint("hi")\nping()\n```\nend',
  'an action, its input and text':
    'Action: get_weather\nAction Input: {"city": "Paris"}\nObservation: sunny\n\nis a turn of ReAct.',
  'an action and its input behind words that explain them':
    'An agent of ReAct writes:\nAction: get_weather\nAction Input: {"city": "Paris"}',
  'an action of no offered tool': 'Action: get_time\nAction Input: {"city": "Paris"}',
  'an action with other input': 'Action: get_weather\nAction Input: {"town": "Paris"}',
  'actions of a meeting': 'Action: get_weather\nOwner: Ann\n\nAction: ping\nOwner: Bob',
  'an action in a sentence': 'So Action: get_weather\nAction Input: {"city": "Paris"}',
  'tags with the names of tools': '<get_weather><city>Paris</city></get_weather> <ping></ping>',
  'the end of reasoning': 'Close with </think> and go on.\n</think>\nSo.',
  'tags in upper case and with blanks':
    'The <TOOL_CALL> tag, <Function=...>; if a < tool_call or x < / function then < parameter = y',
  'end markers': 'It ends with <|eom_id|> or <|im_end|>, </tool_call> or </function>.',
  'tags of a transcript':
    '<user>\nhi\n</user>\n<assistant>\nyes\n</assistant>\n<tool_response>\nx\n</tool_response>',
  'HTML with functions': '<function name="x"></function><parameter name="y">1</parameter><invoke></invoke>',
  'a stray backtick': "It`s <b>fine</b> and 'so' on ~ ~~ ~~~x~~~",
  'emoji and other scripts': '😀 <工具> ｛"name"｝ مرحبا 👨‍👩‍👧 <tool_ 😀',
};

export const text: readonly ToolCallCase[] = [
  ...Object.entries(PROSE).map(([name, prose]) => ({ name, upstream: prose, text: prose })),
  {
    name: 'a call after inline code',
    upstream: `Not \`<tool_call>\` but\n${call}`,
    text: 'Not `<tool_call>` but',
    calls: [['get_weather', '{"city":"Paris"}']],
  },
  {
    name: 'a call after a fence with a call',
    upstream: `\`\`\`xml\n${callOf('ping')}\n\`\`\`\n\n${call}`,
    text: `\`\`\`xml\n${callOf('ping')}\n\`\`\``,
    calls: [['get_weather', '{"city":"Paris"}']],
  },
  {
    name: 'a call after a stray backtick',
    upstream: `It\`s on:\n${call}`,
    text: 'It`s on:',
    calls: [['get_weather', '{"city":"Paris"}']],
  },
  {
    name: 'a call after a mention of one',
    upstream: `A <tool_call> follows, by <function=ping> or so.\n${call}`,
    text: 'A <tool_call> follows, by <function=ping> or so.',
    calls: [['get_weather', '{"city":"Paris"}']],
  },
  {
    name: 'a call after JSON that is none',
    upstream: `{"a": 1}\n${call}`,
    text: '{"a": 1}',
    calls: [['get_weather', '{"city":"Paris"}']],
  },
  {
    name: 'a call after a fence with JSON that is none',
    upstream: `\`\`\`json\n{"name": "x", "arguments": "\`y\`"}\n\`\`\`\n${call}`,
    text: '```json\n{"name": "x", "arguments": "`y`"}\n```',
    calls: [['get_weather', '{"city":"Paris"}']],
  },
  {
    name: 'tags of a transcript long after a call',
    upstream: `${call}\nThe format is:\n<user>\nhi\n</user>`,
    text: 'The format is:\n<user>\nhi\n</user>',
    calls: [['get_weather', '{"city":"Paris"}']],
  },
];
