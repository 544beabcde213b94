import { AGENT_TOOLS, AGENT_VALUES } from '../agent-tools.js';
import { type Call, type Dialect, DIALECTS } from '../dialects.js';
import { callOf, type ToolCallCase } from '../tool-call-case.js';

const { jsx, xml, parser, json, shell, unicode, readme } = AGENT_VALUES;
const ls: Call = ['Bash', { command: 'ls -la src' }];
const lsJson = '{"command": "ls -la src"}';
const part: Call = ['Read', { file_path: '/app/a.py', offset: 10, limit: 20 }];

/** Calls whose values hold markup, JSON, code and escapes. */
const WORK: readonly Call[] = [
  ['Edit', { file_path: '/app/b.tsx', old_string: '  return null;\n', new_string: jsx, replace_all: false }],
  ...[xml, parser, json, unicode, readme].map((content): Call => [
    'Write',
    { file_path: '/app/out', content },
  ]),
  ['Bash', { command: shell, timeout: 5 }],
  ['Grep', { pattern: '^<(\\w+)[^>]*>$', '-n': true, head_limit: 3 }],
  part,
];

function workIn([name, { write }]: [string, Dialect]): ToolCallCase {
  return caseOf(`the work of an agent in the dialect of ${name}`, write(WORK), ...WORK);
}

function caseOf(name: string, upstream: string, ...calls: readonly Call[]): ToolCallCase {
  return {
    name,
    upstream,
    tools: AGENT_TOOLS,
    calls: calls.map(([tool, values]) => [tool, JSON.stringify(values)]),
  };
}

/** Broken calls, and the call that is meant. */
const MENDED: Readonly<Record<string, readonly [string, Call]>> = {
  'a file of JSON that is not escaped': [
    `<tool_call>\n{"name": "Write", "arguments": {"file_path": "a", "content": "${json.replaceAll('\\"', '')}"}}\n</tool_call>`,
    ['Write', { file_path: 'a', content: json.replaceAll('\\"', '') }],
  ],
  'blanks in the tags of keys': [
    '<tool_call>Read\n<arg_key >file_path</arg_key>\n<arg_value>/app/a.py</arg_value >\n< arg_key >offset</ arg_key >\n< arg_value >10</ arg_value >\n<arg_key>limit</arg_key >\n<arg_value >20</arg_value>\n</tool_call>',
    part,
  ],
  'arguments in quotes that are not escaped': [
    `<tool_call>\n{"name": "Bash", "arguments": "${lsJson}"}\n</tool_call>`,
    ls,
  ],
  'arguments in quotes that are not escaped, with a member behind them': [
    '{"type": "function", "function": {"name": "Read", "arguments": "{ "file_path": "/app/a.py", "offset": 10,\n"limit": 20 }"}, "id": "1"}',
    part,
  ],
  'arguments in quotes that are not escaped, with quotes and braces inside': [
    '[TOOL_CALLS][{"name": "Bash", "arguments": "{"command": "awk "{ print }" f"}"}]',
    ['Bash', { command: 'awk "{ print }" f' }],
  ],
  'a string in backticks': [
    '<tool_call>\n{"name": "Write", "arguments": {"file_path": "a", "content": `one\n"two" \\`x\\` `y`, \\d`}}\n</tool_call>',
    ['Write', { file_path: 'a', content: 'one\n"two" `x` `y`, \\d' }],
  ],
  'arguments that end before the last members': [
    '<tool_call>\n{"name": "Read", "arguments": {"file_path": "/app/a.py"}, "offset": 10, "limit": 20, "file_path": "b"}\n</tool_call>',
    part,
  ],
  'a fence around the tags of a function': [
    `<tool_call>\n\`\`\`xml\n${callOf('Bash', { command: 'ls -la src' }).split('\n').slice(1, -1).join('\n')}\n\`\`\`\n</tool_call>`,
    ls,
  ],
  'a key that lacks its first quote': [
    `<tool_call>\n{"name": "Bash", arguments": {command": "ls -la src"}}\n</tool_call>`,
    ls,
  ],
  'a function whose tag lacks its end': [
    '<tool_call>\n<function=Bash\n<parameter=command>ls -la src</parameter>\n</function>\n</tool_call>',
    ls,
  ],
  'closing tags that changed places': [
    '<tool_call>\n<function=Bash>\n<parameter=command>ls -la src</function>\n</parameter>\n</tool_call>',
    ls,
  ],
  'an element that is closed as a parameter': [
    '<tool_call>\n<function=Read>\n<file_path>/app/a.py</parameter>\n<offset>10</parameter>\n<limit>20</limit>\n</function>\n</tool_call>',
    part,
  ],
  'an element with a call in it': [
    `<tool_call>\n<function=Write>\n<file_path>a</file_path>\n<content>\n${callOf('Bash', { command: 'ls' })}\n</content>\n</function>\n</tool_call>`,
    ['Write', { file_path: 'a', content: callOf('Bash', { command: 'ls' }) }],
  ],
  'a word in front of a closing marker': [
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.Bash:0<|tool_call_argument_begin|>${lsJson} ok<|tool_call_end|><|tool_calls_section_end|>`,
    ls,
  ],
  'a word in front of a closing marker of Granite': [
    `<|tool_call|>[{"name": "Bash", "arguments": ${lsJson}}] Done.<|/tool_call|>`,
    ls,
  ],
  'comments between parameters': [
    '<tool_call>\n<function=Read>\n<!-- the file -->\n<parameter=file_path>/app/a.py</parameter>\n<!-- a part -->\n<parameter=offset>10</parameter>\n<parameter=limit>20</parameter>\n</function>\n</tool_call>',
    part,
  ],
  'a line of text between parameters': [
    '<invoke name="Read">\n<parameter name="file_path">/app/a.py</parameter>\nand there a part:\n<parameter name="offset">10</parameter>\n<parameter name="limit">20</parameter>\n</invoke>',
    part,
  ],
  'code that has a closing tag, and opens another parameter in its next line': [
    "<tool_call>\n<function=Write>\n<parameter=content>\nconst CLOSE = '</parameter>'; // of\nconst OPEN = '<parameter=file_path>';\n</parameter>\n<parameter=file_path>a</parameter>\n</function>\n</tool_call>",
    [
      'Write',
      {
        content: "const CLOSE = '</parameter>'; // of\nconst OPEN = '<parameter=file_path>';",
        file_path: 'a',
      },
    ],
  ],
};

const fence = (body: string, label = ''): string => `\`\`\`${label}\n${body}\n\`\`\``;
const call = callOf('Bash', { command: 'ls -la src' });
const inline = `<tool_call>{"name": "Bash", "arguments": ${lsJson}}</tool_call>`;

/** Answers about calls, and with code that resembles them. */
const TEXTS: readonly string[] = [
  readme,
  `### Steps\n1. Start with \`--tool-call-parser hermes\`.\n2. The raw output is:\n\n${fence(`assistant: ${inline}<|im_end|>`, 'text')}\n\n### Expected\n\`tool_calls\` has one entry.`,
  fence(`RAW = """\n${call}\n"""\n\ndef test_parse():\n    assert parse(RAW)[0].name == "Bash"`, 'python'),
  fence(
    `2026-11-02T10:11:12Z DEBUG chunk="<tool_call>\\n{\\"name\\": \\"Bash\\""\n2026-11-02T10:11:13Z INFO calls=1`,
    'log',
  ),
  `The trace says:\n\n    [upstream] ${inline}\n    [parser] 1 call\n\nSo the parser is right.`,
  `> 10:11 upstream: ${inline}\n> 10:12 done\n\nThat is the last call that arrived.`,
  '>>> Read(file_path="a.py")\n\'text\'\n>>> Bash(command="ls")\n',
  `Render it so:\n\n${fence('<Read file_path={path}>\n  <Edit old_string="a" new_string="b" />\n</Read>', 'tsx')}\n`,
  'In React you could have `<Bash command="ls" />` or `<Read>…</Read>` as components.',
  fence(`--- a/hermes.txt\n+++ b/hermes.txt\n@@ -1,2 +1,3 @@\n+${inline}\n some text\n-<tool_call>`, 'diff'),
  fence(`grep -c '<tool_call>' out.txt\nprintf '%s' '${inline}' | ./parse`, 'sh'),
  `模型会输出如下内容：\n\n${fence(call, 'xml')}\n\n然后客户端执行该函数。`,
];

export const agents: readonly ToolCallCase[] = [
  ...Object.entries(DIALECTS).map(workIn),
  ...Object.entries(MENDED).map(([name, [upstream, call]]) => caseOf(name, upstream, call)),
  ...TEXTS.map((upstream, index) => ({
    name: `an answer about calls, number ${index + 1}`,
    upstream,
    tools: AGENT_TOOLS,
    text: upstream,
  })),
];
