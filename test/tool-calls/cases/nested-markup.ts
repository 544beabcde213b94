import { callOf, type ToolCallCase, writeOf, written } from '../tool-call-case.js';

/** Values with markup of calls in them. */
const CONTENTS: Readonly<Record<string, string>> = {
  'the closing tag of a call': 'Close it with </tool_call> and go on.',
  'the closing tag of a call at the end': 'Close it with </tool_call>',
  'the closing tag of a parameter': 'Close it with </parameter> and go on.',
  'the closing tag of a parameter on a line of its own': 'a\n</parameter>\nb',
  'closing tags in another order': '</tool_call></function></parameter> is wrong',
  'the closing tags of a function and a call': 'Fix the </function></tool_call> bug.',
  'the closing tags of a parameter and a function': 'x</parameter></function> y',
  'all closing tags in a line that goes on': 'Docs: </parameter></function></tool_call> closes it.\nSo.',
  'an opening tag': 'Begin with <tool_call> and go on.',
  'the opening tag of a function': 'Begin with <function=write_file> and go on.',
  'the opening tag of a parameter': 'Begin with <parameter=mode> and go on.',
  'the opening tag of a parameter that is given, on a line of its own': 'a\n<parameter=path>\nb',
  'opening tags without closing ones': 'See <tool_call>\n<function=read_file>\n<parameter=path> there',
  'a whole parameter': 'a <parameter=x>1</parameter> b',
  'whole parameters': '<parameter=x>1</parameter>\n<parameter=y>2</parameter>',
  'a whole call': `Example:\n${callOf('read_file', { path: 'b' })}\nThat is how.`,
  'a whole call at the end': `Example:\n${callOf('read_file', { path: 'b' })}`,
  'a whole call of the same tool': writeOf('inner'),
  'a call without parameters': `Like ${callOf('list_files')}, see?`,
  'a call of two parameters': callOf('write_file', { content: 'x', mode: '1' }),
  'two whole calls': `${callOf('ping')}\n${callOf('read_file', { path: 'b' })}\nend`,
  'a call in a call': writeOf(`inner ${callOf('read_file', { path: 'b' })}`),
  'a call without a wrapper': 'Use <function=read_file>\n<parameter=path>b</parameter>\n</function>\nhere.',
  'a call as JSON': '<tool_call>\n{"name":"read_file","arguments":{"path":"b"}}\n</tool_call>\nend',
  'a call of another dialect':
    '<function_calls><invoke name="a"><parameter name="b">c</parameter></invoke></function_calls>.',
  'a fence around a call': `\`\`\`xml\n${callOf('read_file', { path: 'b' })}\n\`\`\``,
  'markers of other dialects': '[TOOL_CALLS] [{"name":"ping"}] <|python_tag|>{"name":"ping"}',
  'a result': '<tool_response>\nx\n</tool_response>\n<user>\ny\n</user>',
  'the beginnings of tags': '</ </p </par <par <t <tool_ </functio',
};

/** A call of Solar Open; an argument `key=value!` lacks its end. */
function solar(name: string, ...args: readonly string[]): string {
  const written = args.map((arg) => {
    const [, key, value, isUnended] = /^(\w+)=(.*?)(!?)$/s.exec(arg)!;
    return `<|tool_arg:start|>${key}<|tool_arg:value|>${value}${isUnended ? '' : '<|tool_arg:end|>\n'}`;
  });
  return `<|tool_call:start|>${name}\n${written.join('')}<|tool_call:end|>`;
}

const paris = ['get_weather', '{"city":"Paris"}'] as const;
const twoDays = ['get_weather', '{"city":"Paris","days":2}'] as const;

/** Values whose end is missing in front of a token that shows it. */
const UNENDED: Readonly<Record<string, readonly [string, readonly (readonly [string, string])[]]>> = {
  'a value of Solar Open without its end': [solar('get_weather', 'city=Paris!'), [paris]],
  'such a value in front of another call': [
    solar('get_weather', 'city=Paris!') + solar('get_weather', 'city=Paris', 'days=2'),
    [paris, twoDays],
  ],
  'such a value in front of another argument': [solar('get_weather', 'city=Paris!', 'days=2'), [twoDays]],
  'such a value in front of a call, with the end of its own missing': [
    solar('get_weather', 'city=Paris!').replace('<|tool_call:end|>', '') + solar('get_weather', 'city=Paris'),
    [paris, paris],
  ],
  'a value of Kimi K3 without its end': [
    '<|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Paris<|open|>argument key="days" type="number"<|sep|>2<|close|>call<|sep|><|close|>tools<|sep|>',
    [twoDays],
  ],
  'a value of MiniMax M3 without its end': [
    ']<]minimax[>[<tool_call>]<]minimax[>[<invoke name="get_weather">]<]minimax[>[<city>Paris]<]minimax[>[</invoke>]<]minimax[>[</tool_call>',
    [paris],
  ],
};

export const nestedMarkup: readonly ToolCallCase[] = [
  ...Object.entries(CONTENTS).map(([name, content]) => ({
    name: `${name} in a value`,
    upstream: `Writing.\n${writeOf(content)}\n`,
    text: 'Writing.',
    calls: [written(content)],
  })),
  ...Object.entries(CONTENTS).map(([name, content]) => ({
    name: `${name} in a JSON string`,
    upstream: `<tool_call>\n${JSON.stringify({ name: 'write_file', arguments: { path: 'a.txt', content } })}\n</tool_call>`,
    calls: [written(content)],
    repairs: [[]],
  })),
  {
    name: 'markup in a value that another parameter follows',
    upstream: callOf('write_file', {
      content: `See <parameter=x> and ${callOf('write_file', { path: 'p', content: 'c', mode: '1' })}`,
      path: 'a.txt',
    }),
    calls: [
      [
        'write_file',
        JSON.stringify({
          content: `See <parameter=x> and ${callOf('write_file', { path: 'p', content: 'c', mode: '1' })}`,
          path: 'a.txt',
        }),
      ],
    ],
  },
  {
    name: 'markup in a value, and text after the call',
    upstream: `${writeOf(callOf('read_file', { path: 'b' }))}\nDone.`,
    text: 'Done.',
    calls: [written(callOf('read_file', { path: 'b' }))],
  },
  {
    name: 'markup in a value, and another call after it',
    upstream: `${writeOf('<tool_call> and </parameter>')}\n${callOf('ping')}`,
    calls: [written('<tool_call> and </parameter>'), ['ping', '{}']],
  },
  ...Object.entries(UNENDED).map(([name, [upstream, calls]]) => ({
    name,
    upstream,
    calls,
    repairs: calls.map((_, index) => (index === 0 ? ['missing_closer'] : [])),
  })),
  {
    name: 'tokens of Solar Open in a value',
    upstream: solar('write_file', 'path=a.txt', 'content=a <|tool_call:end|> and <|tool_call:start|> b'),
    calls: [written('a <|tool_call:end|> and <|tool_call:start|> b')],
  },
];
