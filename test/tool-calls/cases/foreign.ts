import { type ToolCallCase } from '../tool-call-case.js';

const json = '{"name": "get_weather", "arguments": {"city": "Paris"}}';
const paris = ['get_weather', '{"city":"Paris"}'] as const;
const ping = ['ping', '{}'] as const;
const fenced = (body: string, label = 'json'): string => `\`\`\`${label}\n${body}\n\`\`\``;

export const foreign: readonly ToolCallCase[] = [
  { name: 'a fence with a call', upstream: fenced(json), calls: [paris] },
  { name: 'a fence without a label, with a call', upstream: fenced(json, ''), calls: [paris] },
  { name: 'a fence labelled as a call', upstream: fenced(json, 'tool_call'), calls: [paris] },
  {
    name: 'a fence with a call behind text',
    upstream: `I will look.\n\n${fenced(json)}\n`,
    text: 'I will look.',
    calls: [paris],
  },
  {
    name: 'a fence with a call between texts',
    upstream: `Before.\n${fenced(json)}\nAfter.`,
    text: 'Before.\nAfter.',
    calls: [paris],
  },
  {
    name: 'an indented fence with a call',
    upstream: `1. Look:\n   \`\`\`json\n   ${json}\n   \`\`\`\n`,
    text: '1. Look:',
    calls: [paris],
  },
  {
    name: 'a fence with several calls',
    upstream: fenced(`[${json}, {"name": "ping", "arguments": {}}]`),
    calls: [paris, ping],
  },
  {
    name: 'several fences with calls',
    upstream: `${fenced(json)}\n\n${fenced('{"name": "ping", "arguments": {}}')}`,
    calls: [paris, ping],
  },
  {
    name: 'a fence with a call whose strings hold a fence',
    upstream: fenced('{"name": "write_file", "arguments": {"path": "a", "content": "```\\nx\\n```"}}'),
    calls: [['write_file', '{"path":"a","content":"```\\nx\\n```"}']],
  },
  {
    name: 'a fence with the form of the wire',
    upstream: fenced('{"id": "c1", "type": "function", "function": {"name": "ping", "arguments": "{}"}}'),
    calls: [ping],
  },
  { name: 'bare JSON', upstream: json, calls: [paris] },
  { name: 'bare JSON behind white space', upstream: `\n\n${json}\n`, calls: [paris] },
  {
    name: 'bare JSON over several lines',
    upstream: '{\n  "name": "get_weather",\n  "arguments": {\n    "city": "Paris"\n  }\n}',
    calls: [paris],
  },
  { name: 'bare JSON and text after it', upstream: `${json}\n\nDone.`, text: 'Done.', calls: [paris] },
  {
    name: 'bare JSON in a list',
    upstream: `[${json}, {"name": "ping", "arguments": {}}]`,
    calls: [paris, ping],
  },
  { name: 'bare JSON twice', upstream: `${json}\n{"name": "ping", "arguments": {}}`, calls: [paris, ping] },
  {
    name: 'bare JSON with the arguments first',
    upstream: '{"arguments": {"city": "Paris"}, "name": "get_weather"}',
    calls: [paris],
  },
  {
    name: 'bare JSON with a type and an id first',
    upstream: '{"type": "tool_use", "id": "t1", "name": "get_weather", "input": {"city": "Paris"}}',
    calls: [paris],
  },
  {
    name: 'bare JSON with a long string',
    upstream: `{"name": "write_file", "arguments": {"path": "a", "content": "${'x'.repeat(9000)}"}}`,
    calls: [['write_file', `{"path":"a","content":"${'x'.repeat(9000)}"}`]],
  },
  {
    name: 'bare JSON with remarks of the model',
    upstream:
      '{"thought": "So.", "name": "get_weather", "arguments": {"city": "Paris"}, "reason": "asked", "status": "new"}',
    calls: [paris],
  },
  {
    name: 'bare JSON of a length that streams, with another member',
    upstream: `{"name": "write_file", "arguments": {"path": "a", "content": "${'x'.repeat(1100)}"}, "expected": 3}`,
    calls: [['write_file', `{"path":"a","content":"${'x'.repeat(1100)}"}`]],
  },
  {
    name: 'bare JSON whose first argument is a long list',
    upstream: `{"name": "search", "arguments": {"tags": ["${'x'.repeat(5000)}"]}}`,
    calls: [['search', `{"tags":["${'x'.repeat(5000)}"]}`]],
  },
  { name: 'a list behind [TOOL_CALLS]', upstream: `[TOOL_CALLS] [${json}]`, calls: [paris] },
  { name: 'a list right behind [TOOL_CALLS]', upstream: `[TOOL_CALLS][${json}]`, calls: [paris] },
  { name: 'an object behind [TOOL_CALLS]', upstream: `[TOOL_CALLS]${json}`, calls: [paris] },
  ...['Calling tool', 'Tool call'].flatMap((words) => [
    {
      name: `a call behind ${words}`,
      upstream: `I look.\n[${words}: get_weather({"city": "Paris"})]\nThen:\n[${words}: ping]`,
      text: 'I look.\nThen:',
      calls: [paris, ping],
    },
    {
      name: `brackets in a call behind ${words}`,
      upstream: `[${words}: read_file({"path": "a})]"})]`,
      calls: [['read_file', '{"path":"a})]"}']] as const,
    },
    ...[`The log has [${words}: ping] in it.`, `[${words}s: how they work]`].map((text) => ({
      name: `${words} in prose: ${text}`,
      upstream: text,
      text,
    })),
  ]),
  {
    name: 'text before [TOOL_CALLS]',
    upstream: `I will look. [TOOL_CALLS] [${json}]`,
    text: 'I will look.',
    calls: [paris],
  },
  {
    name: 'a name behind [TOOL_CALLS]',
    upstream: '[TOOL_CALLS]get_weather[ARGS]{"city": "Paris"}[TOOL_CALLS]ping[ARGS]{}',
    calls: [paris, ping],
  },
  {
    name: 'JSON behind <|python_tag|>',
    upstream: '<|python_tag|>{"name": "get_weather", "parameters": {"city": "Paris"}}',
    calls: [paris],
  },
  {
    name: 'JSON behind <|python_tag|>, and an end marker',
    upstream: '<|python_tag|>{"name": "get_weather", "parameters": {"city": "Paris"}}<|eom_id|>',
    calls: [paris],
  },
  {
    name: 'several calls behind <|python_tag|>',
    upstream: `<|python_tag|>${json}; {"name": "ping", "parameters": {}}`,
    calls: [paris, ping],
  },
  { name: 'a list behind <|tool_call|>', upstream: `<|tool_call|>[${json}]<|/tool_call|>`, calls: [paris] },
  {
    name: 'an invocation',
    upstream: '<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n</invoke>',
    calls: [paris],
  },
  {
    name: 'an invocation in a wrapper',
    upstream:
      '<function_calls>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n</invoke>\n</function_calls>',
    calls: [paris],
  },
  {
    name: 'several invocations in a wrapper, between texts',
    upstream:
      'Two:\n\n<function_calls>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n<parameter name="days">2</parameter>\n</invoke>\n<invoke name="ping">\n</invoke>\n</function_calls>\n\nDone.',
    text: 'Two:\n\nDone.',
    calls: [['get_weather', '{"city":"Paris","days":2}'], ping],
  },
  {
    name: 'invocations with a prefix',
    upstream:
      '<antml:function_calls><antml:invoke name="get_weather"><antml:parameter name="city">Paris</antml:parameter></antml:invoke></antml:function_calls>',
    calls: [paris],
  },
  {
    name: 'markup in the value of an invocation',
    upstream:
      '<invoke name="write_file"><parameter name="path">a</parameter><parameter name="content">\n<invoke name="x">\n<parameter name="y">1</parameter>\n</invoke>\n</parameter>\n</invoke>',
    calls: [
      [
        'write_file',
        '{"path":"a","content":"<invoke name=\\"x\\">\\n<parameter name=\\"y\\">1</parameter>\\n</invoke>"}',
      ],
    ],
  },
  {
    name: 'a function tag with a name attribute',
    upstream: '<function name="get_weather"><parameter name="city">Paris</parameter></function>',
    calls: [paris],
  },
  {
    name: 'JSON in <function_call>',
    upstream: `<function_call>${json}</function_call>`,
    calls: [paris],
  },
];
