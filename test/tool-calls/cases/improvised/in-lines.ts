import { type ToolCallCase } from '../../tool-call-case.js';

const paris = ['get_weather', '{"city":"Paris"}'] as const;
const twoDays = ['get_weather', '{"city":"Paris","days":2}'] as const;
const json = '{"city": "Paris", "days": 2}';
const inTag = (body: string): string => `<tool_call>\n${body}\n</tool_call>`;
const inFunction = (body: string): string => inTag(`<function=get_weather>\n${body}\n</function>`);

/** Calls in lines of keys and values between the tags of a call. */
const IN_TAGS: Readonly<Record<string, readonly [string, readonly [string, string]]>> = {
  YAML: [inTag('name: get_weather\narguments:\n  city: Paris\n  days: 2'), twoDays],
  'YAML without a label for the arguments': [inTag('tool: get_weather\ncity: Paris'), paris],
  'a name and lines': [inTag('get_weather\ncity: Paris\ndays: 2'), twoDays],
  'lines in a function': [inFunction('city: Paris\ndays: 2'), twoDays],
  'assignments in a function': [inFunction('city="Paris"\ndays=2'), twoDays],
  'lines with a list, a comma and single quotes': [
    inTag(`<function=search>\ntags: ["a", "b"]\n"query": 'x: y',\n</function>`),
    ['search', '{"tags":["a", "b"],"query":"x: y"}'],
  ],
  'lines with what is only like a tag': [
    inTag('name: run_command\narguments:\n  command: cat <a.txt >b && echo "x: </p>"'),
    ['run_command', String.raw`{"command":"cat <a.txt >b && echo \"x: </p>\""}`],
  ],
  'a line for the name and JSON': [inTag(`name: get_weather\narguments: ${json}`), twoDays],
  'a line for the tool and JSON': [inTag(`Tool: get_weather\nArguments: ${json}`), twoDays],
  'an assigned name and JSON': [inTag(`name="get_weather" arguments=${json}`), twoDays],
  'a list of YAML': [
    inTag('- name: search\n  arguments:\n    query: x\n    tags:\n      - a\n      - "b c"\n'),
    ['search', '{"query":"x","tags":["a","b c"]}'],
  ],
  'a block of YAML': [
    inTag('name: write_file\narguments:\n  content: |\n    if a:\n      b: 1\n\n    - c\n  path: a.txt'),
    ['write_file', '{"content":"if a:\\n  b: 1\\n\\n- c\\n","path":"a.txt"}'],
  ],
  'a block of YAML without its last line break': [
    inFunction('days: 2\ncity: |-\n  Paris'),
    ['get_weather', '{"days":2,"city":"Paris"}'],
  ],
  'lines in a function whose tags are never closed': [
    '<tool_call>\n<function=get_weather>\ncity: Paris\n</tool_call>',
    paris,
  ],
};

/** What looks like such lines and is none, or may hold a value that is not read. */
const UNREAD: Readonly<Record<string, string>> = {
  'a block of YAML without lines': inFunction('city: |\nParis'),
  'a folded block of YAML': inFunction('city: >\n  Paris'),
  'members in one line': inFunction('"city": "Paris", "days": 2'),
  'a key without a value': inFunction('city:\ndays: 2'),
  'a mapping of YAML': inTag('name: run_command\narguments:\n  command: ls\n  env:\n    A: 1'),
  'a key that the tool has not': inFunction('city: Paris\ntown: Rome'),
  'a key that is given twice': inFunction('city: Paris\ncity: Rome'),
  'lines without a required key': inFunction('days: 2'),
  'a line of text': inFunction('city: Paris\nand so on'),
  'lines with text behind the call': `${inFunction('city: Paris')}\nis not how it is written.`,
};

/** Lines that hold a name and arguments, at the end of an answer. */
const ANSWERS: Readonly<Record<string, readonly [string, string]>> = {
  'a tool and its arguments': [`Tool: get_weather\nArguments: ${json}`, ''],
  'a tool and its input behind text': [
    `I look it up.\n\nTool Name: get_weather\nTool Input: ${json}\n`,
    'I look it up.',
  ],
  'a tool and its input, with the end of the turn': [`Tool: get_weather\nInput: ${json}<|im_end|>`, ''],
  'a name in bold and a fence': [`**get_weather**\n\n\`\`\`json\n${json}\n\`\`\``, ''],
  'a name in backticks and a fence': [`\`get_weather\`\n\`\`\`json\n${json}\n\`\`\`\n`, ''],
  'a name and a fence': [`get_weather\n\`\`\`\n${json}\n\`\`\``, ''],
};

/** Text about tools in the same lines. */
const TEXT: Readonly<Record<string, string>> = {
  'a tool, its arguments and its result': `Tool: get_weather\nArguments: ${json}\nResult: sunny`,
  'a tool that text presents': `The trace says:\n\nTool: get_weather\nArguments: ${json}\n`,
  'a tool in an example': `For example:\n\nTool: get_weather\nArguments: ${json}`,
  'a tool and its schema': 'Tool: get_weather\nArguments: {"type": "object"}',
  'a tool of others': 'Tool: hammer\nArguments: {"city": "Paris"}',
  'a tool in a quotation': `> Tool: get_weather\n> Arguments: ${json}\n`,
  'a tool in a list': `1. Tool: get_weather\n   Arguments: ${json}\n`,
  'a tool in a question': `Shall I run this?\n\nTool: get_weather\nArguments: ${json}`,
  'a heading in bold': `**get_weather**\n\n\`\`\`json\n${json}\n\`\`\`\n\nTakes a city.`,
  'a heading in bold with text': `**get_weather**\n\nLooks it up.\n\n\`\`\`json\n${json}\n\`\`\``,
  'a heading in bold and a schema': '**get_weather**\n\n```json\n{"type": "object"}\n```',
  'a name in backticks with text behind it': '`get_weather` is a tool.',
  'lines without a tag': 'get_weather\ncity: Paris\ndays: 2\n',
  'a heading with a colon': 'Tool: get_weather\nPurpose: looks up the weather.\n',
  'an answer that ends in a beginning': 'The rest.\nTool: get_wea',
};

export const inLines: readonly ToolCallCase[] = [
  ...Object.entries(IN_TAGS).map(([name, [upstream, call]]) => ({ name, upstream, calls: [call] })),
  ...Object.entries(IN_TAGS).map(([name, [upstream, call]]) => ({
    name: `${name}, behind text and in front of another call`,
    upstream: `Look:\n${upstream}\n<tool_call>{"name": "ping", "arguments": {}}</tool_call>`,
    text: 'Look:',
    calls: [call, ['ping', '{}'] as const],
  })),
  ...Object.entries(UNREAD).map(([name, upstream]) => ({
    name,
    upstream,
    text: upstream,
    problem: 'malformed' as const,
  })),
  ...['get_weather\ncity: Paris', 'name: get_weather\ncity: Paris'].map((body) => ({
    name: `${JSON.stringify(body)} with text behind it`,
    upstream: `${inTag(body)}\nis not how it is written.`,
    text: `${inTag(body)}\nis not how it is written.`,
  })),
  ...Object.entries(ANSWERS).map(([name, [upstream, text]]) => ({ name, upstream, text, calls: [twoDays] })),
  ...Object.entries(TEXT).map(([name, upstream]) => ({ name, upstream, text: upstream })),
];
