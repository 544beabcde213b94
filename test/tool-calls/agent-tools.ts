import { type ToolDefinition } from '../../src/chat/interfaces/tool-definition.js';

const string = { type: 'string' };
const integer = { type: 'integer' };
const boolean = { type: 'boolean' };

function tool(name: string, properties: Record<string, unknown>, required: string[]): ToolDefinition {
  return { type: 'function', function: { name, parameters: { type: 'object', properties, required } } };
}

/** Tools as coding agents offer them: values are files, patterns and commands. */
export const AGENT_TOOLS: readonly ToolDefinition[] = [
  tool('Bash', { command: string, timeout: { type: 'number' }, description: string }, ['command']),
  tool('Read', { file_path: string, offset: integer, limit: integer }, ['file_path']),
  tool('Edit', { file_path: string, old_string: string, new_string: string, replace_all: boolean }, [
    'file_path',
    'old_string',
    'new_string',
  ]),
  tool('Write', { file_path: string, content: string }, ['file_path', 'content']),
  tool('Grep', { pattern: string, path: string, '-n': boolean, head_limit: integer }, ['pattern']),
];

/** Values that hold what could be taken for markup or for the end of a string. */
export const AGENT_VALUES = {
  jsx: [
    'export function Panel({ items }: Props) {',
    '  return (',
    '    <section className="panel">',
    '      {items.length > 0 && <List items={items} onPick={(x) => pick(x)} />}',
    '      <p>{`${items.length} <b>items</b>`}</p>',
    '    </section>',
    '  );',
    '}',
  ].join('\n'),
  xml: '<project>\n  <name>demo</name>\n  <version>5</version><!-- "pinned" -->\n</project>',
  parser: [
    "const CLOSE = '</parameter>';",
    'export function end(text: string): number {',
    '  return text.indexOf(CLOSE); // see </function> below',
    '}',
  ].join('\n'),
  json: '{\n  "name": "demo",\n  "scripts": { "lint": "eslint \\"src/**/*.ts\\"" }\n}',
  shell: String.raw`sed -E 's/\b([a-z]+)\.py$/\1_test.py/; s#C:\\tmp#/tmp#g' "$f" | awk '{ print "\t" $1 }'`,
  unicode: '# Überprüfung\nprint("東京 🚀 \u200b")\nassert "\\u00e9" == "é"\n',
  readme:
    '# Calls\n\n```xml\n<tool_call>\n{"name": "Bash", "arguments": {"command": "ls"}}\n</tool_call>\n```\n\nThat is it.',
} as const;
