import { callOf, type ToolCallCase, writeOf, written } from '../tool-call-case.js';

const paris = ['get_weather', '{"city":"Paris"}'] as const;

/** Values that are CDATA sections, and their contents. */
const SECTIONS: Readonly<Record<string, readonly [string, string]>> = {
  'a section in one line': ['<![CDATA[<b>a & b</b>]]>', '<b>a & b</b>'],
  'a section with white space around it': ['  <![CDATA[a]]>\n', 'a'],
  'a section on lines of its own': ['<![CDATA[\n<b>\n</b>\n]]>', '<b>\n</b>'],
  'a section that holds brackets': ['<![CDATA[a[b[0]]] > c]]>', 'a[b[0]]] > c'],
  'a section that holds the end of one': ['<![CDATA[a]]]]><![CDATA[>b]]>', 'a]]>b'],
  'an empty section': ['<![CDATA[]]>', ''],
  'a document with a section': ['<a><![CDATA[x]]></a>', '<a><![CDATA[x]]></a>'],
  'the beginning of another mark': ['<![CDAT', '<![CDAT'],
};

/** The source of a parser. */
const PARSER = `END = """\n</parameter>\n</function>\n"""\n${'print(END)  # what it looks for\n'.repeat(9)}`;

const open = '<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n</function>\n';

export const sections: readonly ToolCallCase[] = [
  ...['param', 'arg', 'argument'].flatMap((word) =>
    ['city', '"city"'].map((key) => ({
      name: `a parameter by <${word}=${key}>`,
      upstream: `<function=get_weather>\n<${word}=${key}>Paris</${word}>\n</function>`,
      calls: [paris],
    })),
  ),
  ...Object.entries(SECTIONS).flatMap(([name, [value, content]]) => [
    { name: `${name}, on lines of its own`, upstream: writeOf(value), calls: [written(content)] },
    {
      name: `${name}, in an element`,
      upstream: `<write_file>\n<path>a.txt</path>\n<content>\n${value}\n</content>\n</write_file>`,
      calls: [written(content)],
    },
  ]),
  {
    name: 'more blanks before a section than layout has',
    upstream: writeOf(`${' '.repeat(300)}<![CDATA[a]]>`),
    calls: [written(`${' '.repeat(300)}<![CDATA[a]]>`)],
  },
  {
    name: 'a section that holds a call',
    upstream: writeOf(`<![CDATA[${callOf('ping')}]]>`),
    calls: [written(callOf('ping'))],
  },
  {
    name: 'sections of values that are no text',
    upstream: callOf('get_weather', { city: '<![CDATA[Paris]]>', days: '<![CDATA[2]]>' }),
    calls: [['get_weather', '{"city":"Paris","days":2}']],
    repairs: [['cdata_section']],
  },
  {
    name: 'a wrapper that is not closed in front of text',
    upstream: `${open}Done.`,
    text: 'Done.',
    calls: [paris],
  },
  {
    name: 'a wrapper that is not closed in front of long text',
    upstream: `${open}\n${'I wait for it. '.repeat(20)}`,
    text: 'I wait for it. '.repeat(20),
    calls: [paris],
  },
  {
    name: 'a value with the closing tags of a call, and long text behind them',
    upstream: writeOf(PARSER),
    calls: [written(PARSER)],
    repairs: [['markup_in_value']],
  },
  {
    name: 'wrappers that are not closed, with text between them',
    upstream: `${open}And:\n${open}Done.`,
    text: 'And:\nDone.',
    calls: [paris, paris],
  },
];
