import { callOf, type ToolCallCase, writeOf, written } from '../tool-call-case.js';

const paris = ['get_weather', '{"city":"Paris"}'] as const;

export const wellFormed: readonly ToolCallCase[] = [
  {
    name: 'a call on one line',
    upstream: '<tool_call><function=get_weather><parameter=city>Paris</parameter></function></tool_call>',
    calls: [paris],
    repairs: [[]],
  },
  { name: 'a call on several lines', upstream: callOf('get_weather', { city: 'Paris' }), calls: [paris] },
  {
    name: 'values on lines of their own',
    upstream: callOf('get_weather', { city: '\nParis\n', days: '\n3\n' }),
    calls: [['get_weather', '{"city":"Paris","days":3}']],
  },
  {
    name: 'a call whose tags are indented',
    upstream:
      '<tool_call>\n  <function=get_weather>\n    <parameter=city>Paris</parameter>\n    <parameter=days>2</parameter>\n  </function>\n</tool_call>\n',
    calls: [['get_weather', '{"city":"Paris","days":2}']],
  },
  {
    name: 'a closing tag that is indented on a line of its own',
    upstream: callOf('write_file', { path: 'a.txt', content: '\nfoo\n  ' }),
    calls: [written('foo')],
  },
  {
    name: 'lines that end as on Windows',
    upstream: callOf('write_file', { path: 'a.txt', content: '\r\nfoo\r\nbar\r\n' }).replaceAll(
      '>\n',
      '>\r\n',
    ),
    calls: [written('foo\r\nbar')],
  },
  { name: 'a call without parameters', upstream: callOf('list_files'), calls: [['list_files', '{}']] },
  {
    name: 'a call without parameters on one line',
    upstream: '<tool_call><function=ping></function></tool_call>',
    calls: [['ping', '{}']],
  },
  {
    name: 'an empty value',
    upstream: callOf('write_file', { path: 'a.txt', content: '' }),
    calls: [written('')],
  },
  {
    name: 'an empty value on lines of its own',
    upstream: callOf('write_file', { path: 'a.txt', content: '\n' }),
    calls: [written('')],
  },
  {
    name: 'a value that is one line break',
    upstream: callOf('write_file', { path: 'a.txt', content: '\n\n\n' }),
    calls: [written('\n')],
  },
  {
    name: 'a file that ends with a line break, set inline',
    upstream: callOf('write_file', { path: 'a.txt', content: 'one\ntwo\n' }),
    calls: [written('one\ntwo\n')],
  },
  {
    name: 'a file that ends with a line break, set apart',
    upstream: writeOf('one\ntwo\n'),
    calls: [written('one\ntwo\n')],
  },
  { name: 'a file that begins with an empty line', upstream: writeOf('\none'), calls: [written('\none')] },
  {
    name: 'indentation and trailing spaces',
    upstream: writeOf('    if x:\n\treturn  \n      '),
    calls: [written('    if x:\n\treturn  \n      ')],
  },
  {
    name: 'spaces around an inline value',
    upstream: callOf('write_file', { path: 'a.txt', content: '  a  ' }),
    calls: [written('  a  ')],
  },
  {
    name: 'entities, which are no escapes here',
    upstream: writeOf('a &lt; b &amp;&amp; c &#39;d&#39;'),
    calls: [written('a &lt; b &amp;&amp; c &#39;d&#39;')],
  },
  {
    name: 'a path of Windows',
    upstream: callOf('read_file', { path: 'C:\\new\\table\\x.txt' }),
    calls: [['read_file', JSON.stringify({ path: 'C:\\new\\table\\x.txt' })]],
  },
  {
    name: 'a pattern with backslashes and quotes',
    upstream: callOf('run_command', { command: 'grep -E "\\d+\\.\\w" \'a b\' | sed s/\\"/x/' }),
    calls: [['run_command', JSON.stringify({ command: 'grep -E "\\d+\\.\\w" \'a b\' | sed s/\\"/x/' })]],
  },
  {
    name: 'control characters',
    upstream: writeOf('a\tb\u0001c\u007f\u2028'),
    calls: [written('a\tb\u0001c\u007f\u2028')],
  },
  {
    name: 'HTML as a value',
    upstream: writeOf('<table><tr><td>a</td></tr></table><p>x<parameters></p><function></function>'),
    calls: [written('<table><tr><td>a</td></tr></table><p>x<parameters></p><function></function>')],
  },
  {
    name: 'code with generics and comparisons as a value',
    upstream: writeOf('const a: Map<string, Array<number>> = x < y && z >> 2 ? <T>b : c;'),
    calls: [written('const a: Map<string, Array<number>> = x < y && z >> 2 ? <T>b : c;')],
  },
  {
    name: 'a fenced block as a value',
    upstream: writeOf('# Title\n\n```js\nf();\n```\n\n~~~\n`x`'),
    calls: [written('# Title\n\n```js\nf();\n```\n\n~~~\n`x`')],
  },
  {
    name: 'text before a call',
    upstream: `I will look.\n\n${callOf('get_weather', { city: 'Paris' })}`,
    text: 'I will look.',
    calls: [paris],
  },
  {
    name: 'text right before a call',
    upstream: `I will look.${callOf('get_weather', { city: 'Paris' })}`,
    text: 'I will look.',
    calls: [paris],
  },
  {
    name: 'text after a call',
    upstream: `${callOf('get_weather', { city: 'Paris' })}\n\nThat is all.\n`,
    text: 'That is all.\n',
    calls: [paris],
  },
  {
    name: 'text before and after a call: one gap stays',
    upstream: `Before.\n\n${callOf('get_weather', { city: 'Paris' })}\n\n\nAfter.`,
    text: 'Before.\n\nAfter.',
    calls: [paris],
  },
  {
    name: 'text right before a call, and after it on a line of its own',
    upstream: `Before.${callOf('get_weather', { city: 'Paris' })}\nAfter.`,
    text: 'Before.\nAfter.',
    calls: [paris],
  },
  {
    name: 'white space around a call',
    upstream: `\n \n${callOf('get_weather', { city: 'Paris' })}\n\n  \n`,
    calls: [paris],
  },
  {
    name: 'text with markup of other kinds',
    upstream: `<b>Look</b> [1] ~ 5 < 6 > 4\n${callOf('ping')}`,
    text: '<b>Look</b> [1] ~ 5 < 6 > 4',
    calls: [['ping', '{}']],
  },
  {
    name: 'JSON in the tag',
    upstream: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>',
    calls: [paris],
    repairs: [[]],
  },
  {
    name: 'JSON in the tag, on one line',
    upstream: '<tool_call>{"name":"get_weather","arguments":{"city":"Paris","days":1}}</tool_call>',
    calls: [['get_weather', '{"city":"Paris","days":1}']],
  },
  {
    name: 'JSON over several lines',
    upstream:
      '<tool_call>\n{\n  "name": "edit_file",\n  "arguments": {\n    "path": "a",\n    "edits": [\n      { "old": "x", "new": "y" }\n    ],\n    "dry_run": false\n  }\n}\n</tool_call>',
    calls: [['edit_file', '{"path":"a","edits":[{"old":"x","new":"y"}],"dry_run":false}']],
  },
  {
    name: 'JSON strings with every escape',
    upstream:
      '<tool_call>{"name":"write_file","arguments":{"path":"a.txt","content":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00"}}</tool_call>',
    calls: [['write_file', '{"path":"a.txt","content":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00"}']],
    repairs: [[]],
  },
  {
    name: 'JSON without arguments',
    upstream: '<tool_call>{"name":"list_files"}</tool_call>',
    calls: [['list_files', '{}']],
  },
  {
    name: 'JSON with empty arguments',
    upstream: '<tool_call>{"name":"list_files","arguments":{}}</tool_call>',
    calls: [['list_files', '{}']],
  },
  {
    name: 'JSON with null for arguments',
    upstream: '<tool_call>{"name":"ping","arguments":null}</tool_call>',
    calls: [['ping', '{}']],
  },
  {
    name: 'arguments as one JSON object in the function tag',
    upstream: '<function=get_weather>{"city": "Paris"}</function>',
    calls: [paris],
  },
];
