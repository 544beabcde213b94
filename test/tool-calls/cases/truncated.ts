import { callOf, type ToolCallCase } from '../tool-call-case.js';

const paris = ['get_weather', '{"city":"Paris"}'] as const;

/** Cut before any output of the call, so that the model can be asked again; otherwise it is text. */
const NOTHING_OUT: Readonly<Record<string, string>> = {
  'after the opening tag': '<tool_call>\n',
  'after the name': '<tool_call>\n<function=write_file>\n',
  'before a value': '<tool_call>\n<function=write_file>\n<parameter=path>',
  'inside a number': '<tool_call>\n<function=get_weather>\n<parameter=days>1',
  'inside a list': '<tool_call>\n<function=search>\n<parameter=tags>["a"',
  'inside the name in JSON': '<tool_call>{"name": "get_wea',
  'behind the name in JSON': '<tool_call>{"name": "get_weather",',
  'before the arguments in JSON': '<tool_call>{"name": "get_weather", "arguments":',
  'behind the name in JSON, of a tool that demands nothing': '<tool_call>{"name": "ping"',
  'behind the opening bracket of the arguments': '<tool_call>{"name": "ping", "arguments": {',
  'inside a number in JSON': '<tool_call>{"name": "get_weather", "arguments": {"days": 1',
  'inside a list in JSON': '<tool_call>{"name": "search", "arguments": {"tags": ["a", "b',
};

/** Cut after the first output of the call, so that the answer ends with `length`. */
const PARTLY_OUT: Readonly<Record<string, readonly [string, string, string]>> = {
  'inside a string': [
    '<tool_call>\n<function=write_file>\n<parameter=path>a.txt</parameter>\n<parameter=content>\nHello\nwor',
    'write_file',
    '{"path":"a.txt","content":"Hello\\nwor',
  ],
  'behind a line break in a string': [
    '<tool_call>\n<function=write_file>\n<parameter=path>a.txt</parameter>\n<parameter=content>\nHello\n',
    'write_file',
    '{"path":"a.txt","content":"Hello',
  ],
  'inside a call in a value': [
    `<tool_call>\n<function=write_file>\n<parameter=content>\nSee ${callOf('read_file', { path: 'b' }).slice(0, -12)}`,
    'write_file',
    `{"content":"See ${JSON.stringify(callOf('read_file', { path: 'b' }).slice(0, -12)).slice(1, -3)}`,
  ],
  'inside the tag behind a value': [
    '<tool_call>\n<function=write_file>\n<parameter=path>a.txt</parameter>\n<param',
    'write_file',
    '{"path":"a.txt"',
  ],
  'inside the second value': [
    '<tool_call>\n<function=get_weather>\n<parameter=city>Paris</parameter>\n<parameter=days>1',
    'get_weather',
    '{"city":"Paris"',
  ],
  'inside a string in JSON': [
    '<tool_call>{"name": "write_file", "arguments": {"path": "a.txt", "content": "Hello\\nwor',
    'write_file',
    '{"path":"a.txt","content":"Hello\\nwor',
  ],
  'inside an escape in JSON': [
    '<tool_call>{"name": "write_file", "arguments": {"path": "a.txt", "content": "Hello\\u00',
    'write_file',
    '{"path":"a.txt","content":"Hello\\\\u00',
  ],
  'inside a key in JSON': [
    '<tool_call>{"name": "write_file", "arguments": {"path": "a.txt", "con',
    'write_file',
    '{"path":"a.txt"',
  ],
  'behind a comma in JSON': [
    '<tool_call>{"name": "write_file", "arguments": {"path": "a.txt",',
    'write_file',
    '{"path":"a.txt"',
  ],
  'behind a value, with another missing': [
    '<tool_call>\n<function=write_file>\n<parameter=path>a.txt</parameter>\n',
    'write_file',
    '{"path":"a.txt"',
  ],
  'behind a value in JSON, with another missing': [
    '<tool_call>{"name": "write_file", "arguments": {"path": "a.txt"',
    'write_file',
    '{"path":"a.txt"',
  ],
  'inside a string in bare JSON': [
    '{"name": "write_file", "arguments": {"path": "a.txt", "content": "Hello',
    'write_file',
    '{"path":"a.txt","content":"Hello',
  ],
};

/** Ended behind a complete value, so that only markup is missing. */
const COMPLETE: Readonly<Record<string, string>> = {
  'behind a value': '<tool_call>\n<function=get_weather>\n<parameter=city>Paris</parameter>\n',
  'behind a value, inside a closing tag':
    '<tool_call>\n<function=get_weather>\n<parameter=city>Paris</parameter>\n</function>\n</tool',
  'behind a value, at the beginning of a closing tag':
    '<tool_call>\n<function=get_weather>\n<parameter=city>Paris</parameter>\n</',
  'behind the function':
    '<tool_call>\n<function=get_weather>\n<parameter=city>Paris</parameter>\n</function>',
  'behind a string in JSON': '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"',
  'behind the arguments in JSON': '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}',
  'behind the JSON': '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n',
  'behind a fenced call': '```json\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n',
  'behind an invocation':
    '<function_calls>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n</invoke>',
};

export const truncated: readonly ToolCallCase[] = [
  ...Object.entries(NOTHING_OUT).map(([name, upstream]) => ({
    name: `cut ${name}`,
    upstream,
    text: upstream,
    problem: 'cut' as const,
  })),
  ...Object.entries(PARTLY_OUT).map(([name, [upstream, tool, json]]) => ({
    name: `cut ${name}`,
    upstream,
    calls: [[tool, json] as const],
    finish: 'length' as const,
  })),
  ...Object.entries(COMPLETE).map(([name, upstream]) => ({
    name: `ended ${name}`,
    upstream,
    calls: [paris],
  })),
  {
    name: 'cut in the second call',
    upstream: `${callOf('ping')}\n<tool_call>\n<function=write_file>\n<parameter=content>Hel`,
    calls: [
      ['ping', '{}'],
      ['write_file', '{"content":"Hel'],
    ],
    finish: 'length',
  },
  {
    name: 'cut in the second call before anything of it is out',
    upstream: `${callOf('ping')}\n<tool_call>\n<function=write_file>\n<param`,
    text: '<tool_call>\n<function=write_file>\n<param',
    calls: [['ping', '{}']],
  },
  {
    name: 'cut behind text before anything is out: too late to ask again',
    upstream: 'Look:\n<tool_call>\n<function=write_file>\n',
    text: 'Look:\n<tool_call>\n<function=write_file>\n',
  },
];
