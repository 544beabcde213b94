/**
 * Markers by which the sandbox site is made to misbehave, for the buttons of the chat tester; `docs/sandbox.md` has all.
 *
 * @type {readonly { name: string, marker: string, about: string }[]}
 */
export const SANDBOX_MARKERS = [
  { name: 'Long answer', marker: '[[chunks:120x40ms]]', about: '120 pieces, 40 ms apart' },
  { name: 'Slow start', marker: '[[slowfirst:3000]]', about: '3 s before the first piece' },
  { name: 'Think aloud', marker: '[[think-tags]]', about: 'Reasoning inside the text' },
  { name: 'Tool call', marker: '[[call:read_file:{"path":"a.txt"}]]', about: 'A call of read_file' },
  { name: 'Echo', marker: '[[echo]]', about: 'Repeats the last tool result, else the prompt' },
  { name: 'Silence', marker: '[[hang:5]]', about: 'Falls silent after 5 pieces' },
  { name: 'Cut', marker: '[[reset:5]]', about: 'Cuts the connection after 5 pieces' },
  { name: 'Error 500', marker: '[[status:500]]', about: 'The site answers with status 500' },
  { name: 'Rate limit', marker: '[[limit:sse:5]]', about: 'A rate limit of 5 s' },
  { name: 'Overloaded', marker: '[[overloaded]]', about: 'The site is overloaded' },
  { name: 'Too long', marker: '[[too-long]]', about: 'The prompt is too long' },
  { name: 'Garbage', marker: '[[garbage]]', about: 'Nonsense instead of events' },
  { name: 'Login wall', marker: '[[login-wall]]', about: 'The site asks for a login' },
];

/** A tool that goes with the marker of a tool call. */
export const SAMPLE_TOOL = {
  type: 'function',
  function: {
    name: 'read_file',
    description: 'Reads a file.',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
};
