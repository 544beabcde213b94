import { callOf, type ToolCallCase, writeOf, written } from '../tool-call-case.js';

const LINE =
  'export function read<T>(text: string): T | undefined { return parse<T>("a\\n", \'b\'); } // é < 😀\n';
const code = LINE.repeat(Math.ceil(200_000 / LINE.length));
const edits = Array.from({ length: 3000 }, (_, index) => ({ old: `line ${index}\n`, new: `"${index}"\t` }));
const markup = `${callOf('read_file', { path: 'b' })}\n</parameter>\n<tool_call>`.repeat(1200);

export const long: readonly ToolCallCase[] = [
  { name: 'a file of 200 KB', upstream: writeOf(code), calls: [written(code)] },
  {
    name: 'a file of 200 KB in JSON',
    upstream: `<tool_call>${JSON.stringify({ name: 'write_file', arguments: { path: 'a.txt', content: code } })}</tool_call>`,
    calls: [written(code)],
  },
  {
    name: 'a file of 200 KB in arguments as text',
    upstream: `<tool_call>${JSON.stringify({ name: 'write_file', arguments: JSON.stringify({ path: 'a.txt', content: code }) })}</tool_call>`,
    calls: [written(code)],
  },
  {
    name: 'a file of 120 KB of markup in JSON',
    upstream: `<tool_call>${JSON.stringify({ name: 'write_file', arguments: { path: 'a.txt', content: markup } })}</tool_call>`,
    calls: [written(markup)],
  },
  {
    name: 'a list of 120 KB',
    upstream: callOf('edit_file', { path: 'a', edits: `\n${JSON.stringify(edits)}\n` }),
    calls: [['edit_file', JSON.stringify({ path: 'a', edits })]],
  },
  {
    name: 'text of 200 KB with tags that lead nowhere',
    upstream: 'a <tool_call> b `<function=x>` </parameter> <par < [TOOL ~~ \n'.repeat(3500),
    text: 'a <tool_call> b `<function=x>` </parameter> <par < [TOOL ~~ \n'.repeat(3500),
  },
  {
    name: '100 KB of white space around a call',
    upstream: `${' \n'.repeat(25_000)}${callOf('ping')}${' \n'.repeat(25_000)}`,
    calls: [['ping', '{}']],
  },
];
