import { callOf, type ToolCallCase, writeOf, written } from '../tool-call-case.js';

const paris = ['get_weather', '{"city":"Paris"}'] as const;
const twoDays = ['get_weather', '{"city":"Paris","days":2}'] as const;
const hello = ['write_file', '{"path":"a.txt","content":"Hello"}'] as const;
const city = '<parameter=city>Paris</parameter>';
const json = '{"name": "get_weather", "arguments": {"city": "Paris"}}';
const inTags = (body: string): string =>
  `<tool_call>\n<function=get_weather>\n${body}\n</function>\n</tool_call>`;
const args = (members: string): string =>
  `<tool_call>\n{"name": "get_weather", "arguments": {${members}}}\n</tool_call>`;
const writing = (end: string): string =>
  `<tool_call>\n<function=write_file>\n<parameter=path>a.txt</parameter>\n<parameter=content>${end}`;

/** Broken markup and JSON of calls, the call that is meant, and its repairs. */
const MENDED: Readonly<Record<string, readonly [string, readonly [string, string], ...string[]]>> = {
  'no comma between members in one line': [args('"city": "Paris" "days": 2'), twoDays, 'missing_comma'],
  'no comma and no space between members': [args('"city": "Paris""days": 2'), twoDays, 'missing_comma'],
  'no comma behind a number': [
    args('"days": 2 "city": "Paris"'),
    ['get_weather', '{"days":2,"city":"Paris"}'],
    'missing_comma',
  ],
  'no commas between objects and behind lists': [
    '<tool_call>{"name": "edit_file" "arguments": {"edits": [{"old": "x" "new": "y"} {"old": "1" "new": "2"}] "path": "a"}}</tool_call>',
    ['edit_file', '{"edits":[{"old":"x","new":"y"},{"old":"1","new":"2"}],"path":"a"}'],
    'missing_comma',
  ],
  'no comma between strings of a list': [
    '<tool_call>{"name": "search", "arguments": {"tags": ["a" "b" "c"]}}</tool_call>',
    ['search', '{"tags":["a","b","c"]}'],
    'missing_comma',
  ],
  'quoted words in one line that are no members': [
    '<tool_call>{"name": "run_command", "arguments": {"command": "grep "a" "b" x; echo "c" "d": e"}}</tool_call>',
    ['run_command', '{"command":"grep \\"a\\" \\"b\\" x; echo \\"c\\" \\"d\\": e"}'],
    'unescaped_quote',
  ],
  'a key that is doubled': [args('"city": "Paris", "city": "Rome"'), paris, 'doubled_key'],
  'a key of a number that is doubled': [
    args('"city": "Paris", "days": 2, "days": 2'),
    twoDays,
    'doubled_key',
  ],
  'a key in an object that is doubled': [
    '<tool_call>{"name": "run_command", "arguments": {"command": "ls", "env": {"A": "1", "A": "2", "B": "3"}}}</tool_call>',
    ['run_command', '{"command":"ls","env":{"A":"1","B":"3"}}'],
    'doubled_key',
  ],
  'a doubled key in arguments as text': [
    '<tool_call>{"name": "get_weather", "arguments": "{\\"city\\": \\"Paris\\", \\"city\\": \\"Paris\\"}"}</tool_call>',
    paris,
    'encoded_arguments',
    'doubled_key',
  ],
  'a parameter that is closed twice': [
    inTags('<parameter=city>Paris</parameter></parameter>'),
    paris,
    'surplus_closer',
  ],
  'every parameter closed twice': [
    inTags('<parameter=city>\nParis\n</parameter>\n</parameter>\n<parameter=days>2</parameter></parameter>'),
    twoDays,
    'surplus_closer',
  ],
  'a parameter that is given twice': [inTags(`${city}\n${city}`), paris, 'doubled_key'],
  'a parameter that is given twice, with another value': [
    inTags(`${city}\n<parameter=days>2</parameter>\n<parameter=city>Rome</parameter>`),
    twoDays,
    'doubled_key',
  ],
  'a long parameter that is given twice': [
    writing('\nHello\n</parameter>\n<parameter=content>\nHello\n</parameter>\n</function>\n</tool_call>'),
    hello,
    'doubled_key',
  ],
  'a word between the parameters and the end of the function': [
    inTags(`${city}\nThat is it.`),
    paris,
    'stray_text',
  ],
  'a brace between the parameters and the end of the function': [inTags(`${city}\n}`), paris, 'stray_text'],
  'a call of MiniMax M3 that is not closed': [
    ['<tool_call>', '<invoke name="get_weather">', '<city>Paris', '</city>', '</tool_call>']
      .map((tag) => `]<]minimax[>[${tag}`)
      .join(''),
    paris,
    'missing_closer',
  ],
  'a parameter of MiniMax M3 whose name is no word': [
    ']<]minimax[>[<tool_call>]<]minimax[>[<invoke name="get_weather">]<]minimax[>[<city>Paris]<]minimax[>[</city>]<]minimax[>[<-A>3]<]minimax[>[</-A>]<]minimax[>[<$ref>]<]minimax[>[<2>x]<]minimax[>[</2>]<]minimax[>[</$ref>]<]minimax[>[</invoke>]<]minimax[>[</tool_call>',
    ['get_weather', '{"city":"Paris","-A":3,"$ref":{"2":"x"}}'],
  ],
  'white space around the parts of a list of MiniMax M3': [
    `]<]minimax[>[<tool_call>
]<]minimax[>[<invoke name="edit_file">
]<]minimax[>[<edits>
  ]<]minimax[>[<item>
    ]<]minimax[>[<old> a
]<]minimax[>[</old>
    ]<]minimax[>[<new>
]<]minimax[>[</new>
  ]<]minimax[>[</item>
]<]minimax[>[</edits>
]<]minimax[>[</invoke>
]<]minimax[>[</tool_call>`,
    ['edit_file', '{"edits":[{"old":" a\\n","new":"\\n"}]}'],
  ],
  'a list and an object of MiniMax M3 without members': [
    ']<]minimax[>[<tool_call>]<]minimax[>[<invoke name="search">]<]minimax[>[<query>]<]minimax[>[</query>]<]minimax[>[<tags>]<]minimax[>[</tags>]<]minimax[>[</invoke>]<]minimax[>[</tool_call>',
    ['search', '{"query":"","tags":[]}'],
  ],
  'an object of MiniMax M3 whose only member is named like an item': [
    ']<]minimax[>[<tool_call>]<]minimax[>[<invoke name="run_command">]<]minimax[>[<env>]<]minimax[>[<item>a]<]minimax[>[</item>]<]minimax[>[</env>]<]minimax[>[</invoke>]<]minimax[>[</tool_call>',
    ['run_command', '{"env":{"item":"a"}}'],
  ],
  'closing tags of MiniMax M3 without its token': [
    ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="get_weather">]<]minimax[>[<city>Paris</city>]<]minimax[>[<days>2</days>\n</invoke>\n</tool_call>',
    twoDays,
  ],
  'closing tags of MiniMax M3 without its token in front of the parameters only': [
    ']<]minimax[>[<tool_call>]<]minimax[>[<invoke name="get_weather">]<]minimax[>[<city>Paris</city>]<]minimax[>[</invoke>]<]minimax[>[</tool_call>',
    paris,
  ],
  'closing tags of MiniMax M3 without its token in a list': [
    ']<]minimax[>[<tool_call>]<]minimax[>[<invoke name="search">]<]minimax[>[<tags>]<]minimax[>[<item>a</item>]<]minimax[>[<item>b</item></tags>]<]minimax[>[</invoke>]<]minimax[>[</tool_call>',
    ['search', '{"tags":["a","b"]}'],
  ],
  'a value of MiniMax M3 that ends in its own closing tag': [
    ']<]minimax[>[<tool_call>]<]minimax[>[<invoke name="get_weather">]<]minimax[>[<city><city>Paris</city> or </city>]<]minimax[>[</city>]<]minimax[>[</invoke>]<]minimax[>[</tool_call>',
    ['get_weather', '{"city":"<city>Paris</city> or </city>"}'],
  ],
  'all arguments as one parameter': [
    inTags('<parameter=arguments>\n{"city": "Paris"}\n</parameter>'),
    paris,
    'wrapped_arguments',
  ],
  'all arguments as one parameter, in tags of DeepSeek': [
    '<｜DSML｜invoke name="get_weather"><｜DSML｜parameter name="input" string="true">{"city":"Paris","days":"2"}</｜DSML｜parameter></｜DSML｜invoke>',
    twoDays,
    'wrapped_arguments',
    'string_to_number',
  ],
  'all arguments as one parameter, in tags for keys': [
    '<tool_call>get_weather\n<arg_key>parameters</arg_key>\n<arg_value>{"city": "Paris"}</arg_value>\n</tool_call>',
    paris,
    'wrapped_arguments',
  ],
  'all arguments as one parameter, and one of them again': [
    inTags(`<parameter=arguments>{"city": "Paris"}</parameter>\n<parameter=city>Rome</parameter>`),
    paris,
    'wrapped_arguments',
    'doubled_key',
  ],
  'no arguments as one parameter': [
    `<function=read_file>\n<parameter=args>{ }</parameter>\n<parameter=path>a</parameter>\n</function>`,
    ['read_file', '{"path":"a"}'],
    'wrapped_arguments',
  ],
  'a parameter that is named like the arguments and holds text in braces': [
    inTags(`<parameter=input>{not json} hello</parameter>\n${city}`),
    ['get_weather', '{"input":"{not json} hello","city":"Paris"}'],
  ],
  'a parameter that is named like the arguments and holds lines of JSON': [
    inTags(`<parameter=args>{"a":1}\n{"b":2}</parameter>\n${city}`),
    ['get_weather', '{"args":"{\\"a\\":1}\\n{\\"b\\":2}","city":"Paris"}'],
  ],
  'a parameter that is named like the arguments and holds none': [
    inTags(`${city}\n<parameter=input>{"city": "Rome"}</parameter>`),
    ['get_weather', '{"city":"Paris","input":{"city": "Rome"}}'],
  ],
  'reasoning that ends inside a call': [inTags(`</think>\n${city}`), paris, 'surplus_closer'],
  'reasoning that ends behind the parameters': [inTags(`${city}\n</think>`), paris, 'surplus_closer'],
  'reasoning that ends behind the function': [
    `<tool_call>\n<function=get_weather>\n${city}\n</function>\n</think>\n</tool_call>`,
    paris,
  ],
  'reasoning that ends in front of the JSON': [`<tool_call>\n</think>\n${json}\n</tool_call>`, paris],
  'reasoning that ends before a call': [`</think>\n\n<tool_call>\n${json}\n</tool_call>`, paris],
  'reasoning that ends before a marker': [`</think>[TOOL_CALLS][${json}]`, paris],
  'reasoning that ends before bare JSON': [`</think>\n\n${json}`, paris],
  'reasoning that ends behind a call': [`<tool_call>\n${json}\n</tool_call>\n</think>\n`, paris],
  'closing tags without their ends': [
    `<tool_call>\n<function=get_weather>\n<parameter=city>Paris</parameter\n</function\n</tool_call>`,
    paris,
  ],
  'tags in upper case': [
    '<TOOL_CALL>\n<FUNCTION=get_weather>\n<PARAMETER=city>Paris</PARAMETER>\n</FUNCTION>\n</TOOL_CALL>',
    paris,
  ],
  'tags that begin in upper case': [
    '<Tool_Call>\n<Function=get_weather>\n<Parameter=city>Paris</Parameter>\n</Function>\n</Tool_Call>',
    paris,
  ],
  'JSON in a tag in upper case': [`<TOOL_CALL>${json}</TOOL_CALL>`, paris],
  'blanks in all tags': [
    '< tool_call >\n< function = get_weather >\n< parameter = city >Paris</ parameter >\n< / function >\n< /tool_call >',
    paris,
  ],
  'commas that are doubled': [
    args('"city": "Paris",, "days": 2,,'),
    twoDays,
    'doubled_comma',
    'trailing_comma',
  ],
  'no colon in front of the arguments': [
    '<tool_call>{"name": "get_weather", "arguments" {"city": "Paris"}}</tool_call>',
    paris,
    'missing_colon',
  ],
  'an object in parentheses behind the name': [
    '<tool_call>get_weather({"city": "Paris"})</tool_call>',
    paris,
  ],
  'names in attributes without quotes': [
    '<invoke name=get_weather>\n<parameter name=city>Paris</parameter>\n</invoke>',
    paris,
  ],
  'keys in upper case': [
    '<TOOL_CALL>get_weather\n<ARG_KEY>city</ARG_KEY>\n<ARG_VALUE>Paris</ARG_VALUE>\n</TOOL_CALL>',
    paris,
  ],
  'only closing tags in upper case': [inTags('<parameter=city>\nParis\n</PARAMETER>'), paris],
  'a value that is closed like its key': [
    '<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_key>\n</tool_call>',
    paris,
  ],
  'reasoning that ends behind the name': [
    '<tool_call>get_weather\n</think>\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n</tool_call>',
    paris,
  ],
  'a function that is closed twice': [inTags(`${city}\n</function>`), paris],
  'a long parameter, and a function that is closed twice': [
    writing('\nHello\n</parameter>\n</function>\n</function>\n</tool_call>'),
    hello,
  ],
  'closing tags of parameters behind JSON': [
    `<tool_call>\n${json}</parameter></function>\n</tool_call>`,
    paris,
  ],
  'a brace behind JSON between markers': [
    '<|tool_call_begin|>get_weather<|tool_call_argument_begin|>{"city": "Paris"}}<|tool_call_end|>',
    paris,
  ],
  'the end of a fence behind JSON between markers': [
    '<｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Paris"}\n```<｜tool▁call▁end｜>',
    paris,
  ],
  'blanks in an invocation': [
    '< invoke name = "get_weather" >\n< parameter name = "city" >Paris</ parameter>\n</ invoke>',
    paris,
  ],
};

/** Text between a call and the closing tag of its wrapper. */
const STRAY: Readonly<Record<string, string>> = {
  'a word behind the JSON': `<tool_call>\n${json} ok\n</tool_call>`,
  'a quote and a semicolon behind the JSON': `<tool_call>\n${json}";\n</tool_call>`,
  'a tag that nobody knows behind the JSON': `<tool_call>\n${json}</call>\n</tool_call>`,
  'a word behind the function': `<tool_call>\n<function=get_weather>\n${city}\n</function>\nok.\n</tool_call>`,
};

/** The answer ends in the middle of the last closing tag. */
const CUT_CLOSERS = ['</par', '</parameter', '\n</parame'];

/** Parameters whose closing tag bears the name of the key. */
const KEYS_AS_TAGS: Readonly<Record<string, string>> = {
  'a closing tag with the name of the last key':
    '<parameter=path>a.txt</parameter>\n<parameter=content>Hello</content>\n</function>\n</tool_call>',
  'a closing tag with the name of a key, on a line of its own':
    '<parameter=path>a.txt</parameter>\n<parameter=content>\nHello\n</content>\n</function>\n</tool_call>',
  'a closing tag with the name of the first key':
    '<parameter=path>a.txt</path>\n<parameter=content>Hello</parameter>\n</function>\n</tool_call>',
  'a closing tag with the name of the key at the end of the answer':
    '<parameter=path>a.txt</parameter>\n<parameter=content>Hello</content>',
};

/** Values in which a tag with the name of their key is text. */
const KEYS_IN_VALUES: Readonly<Record<string, string>> = {
  'an element named like the key': '<content>Hello</content>',
  'an element named like the key at the end of a document':
    '<feed>\n<content type="text">Hello</content>\n</feed>',
  'the closing tag of an element named like the key': 'Hello</content>',
  'a closing tag like the key, with text behind it': 'Hello</content> and more',
};

/** Ends of an answer within an incomplete value: markup of no call, or too little of it. */
const CUT_VALUES: Readonly<Record<string, string>> = {
  'a bracket and a slash': '</',
  'the tag of a paragraph': '</p',
};

/** Markup that belongs to the value of a file. */
const CONTENTS: Readonly<Record<string, string>> = {
  'a parameter of a configuration file': '<Parameter name="x" value="1"/>\n<PARAMETER=x>1</PARAMETER>',
  'parameters without names': '<list>\n<parameter>a</parameter>\n<parameter>b</parameter>\n</list>',
  'the end of reasoning': 'a\n</think>\nb',
  'a closing tag in a sentence at the end': 'Close it with </parameter>',
  'closing tags and text between them': 'x\n</parameter>\ntext\n</function>\nmore',
};

export const brokenMarkup: readonly ToolCallCase[] = [
  ...Object.entries(MENDED).map(([name, [upstream, call, ...repairs]]) => ({
    name,
    upstream,
    calls: [call],
    repairs: [repairs],
  })),
  ...Object.entries(MENDED)
    .map(([name, [upstream, call]]) => ({
      name: `${name}, between other calls`,
      upstream: `Look:\n${callOf('ping')}\n${upstream}\n${callOf('list_files')}`,
      text: 'Look:',
      calls: [['ping', '{}'] as const, call, ['list_files', '{}'] as const],
    }))
    .filter(({ name }) => !name.startsWith('reasoning that ends before bare')),
  ...Object.entries(STRAY).map(([name, upstream]) => ({
    name,
    upstream: `${upstream}\nDone.`,
    text: 'Done.',
    calls: [paris],
    notes: ['Left out text between a call and its closing tag.'],
  })),
  ...CUT_CLOSERS.map((closer) => ({
    name: `the answer ends with ${JSON.stringify(closer)}`,
    upstream: writing(`\nHello${closer}`),
    calls: [hello],
    repairs: [['missing_closer']],
  })),
  ...Object.entries(CUT_VALUES).map(([name, end]) => ({
    name: `the answer ends with ${name} in a value`,
    upstream: writing(`<p>Hello${end}`),
    calls: [['write_file', '{"path":"a.txt","content":"<p>Hello'] as const],
    finish: 'length' as const,
  })),
  {
    name: 'the answer ends in a closing tag, and a parameter is missing',
    upstream: '<tool_call>\n<function=write_file>\n<parameter=content>Hello</parame',
    calls: [['write_file', '{"content":"Hello"']],
    finish: 'length',
  },
  ...Object.entries(CONTENTS).map(([name, content]) => ({
    name: `${name} in a value`,
    upstream: writeOf(content),
    calls: [written(content)],
  })),
  {
    name: 'a parameter that is opened twice',
    upstream: inTags('<parameter=city>\n<parameter=city>\nParis\n</parameter>'),
    calls: [['get_weather', '{"city":"<parameter=city>\\nParis"}']],
    repairs: [['markup_in_value']],
  },
  ...['\n', '\r\n', '\n  '].flatMap((lineBreak) =>
    [
      `<parameter=limit>20</parameter>${lineBreak}<parameter=path>src/a.ts${lineBreak}</function>\n</tool_call>`,
      `<parameter=limit>20</parameter>${lineBreak}<parameter=path>src/a.ts${lineBreak}</tool_call>`,
      `<parameter=limit>20</parameter>${lineBreak}<parameter=path>src/a.ts${lineBreak}</function>\n`,
    ].map((body) => ({
      name: `a value inline without its closing tag: ${JSON.stringify(body)}`,
      upstream: `<tool_call>\n<function=read_file>\n${body}`,
      calls: [['read_file', '{"limit":20,"path":"src/a.ts"}'] as const],
      repairs: [['missing_closer']],
    })),
  ),
  {
    name: 'a value inline without its closing tag in front of the next',
    upstream: `<tool_call>\n<function=read_file>\n<parameter=path>src/a.ts\n<parameter=limit>20\n</parameter>\n</function>\n</tool_call>`,
    calls: [['read_file', '{"path":"src/a.ts","limit":20}']],
    repairs: [['missing_closer']],
  },
  {
    name: 'line breaks of values inline that are closed',
    upstream: callOf('write_file', { path: 'a\r', content: 'a\r\n b\r \n\n \r\n  ' }),
    calls: [['write_file', JSON.stringify({ path: 'a\r', content: 'a\r\n b\r \n\n \r\n  ' })]],
    repairs: [[]],
  },
  ...Object.entries(KEYS_AS_TAGS).map(([name, body]) => ({
    name,
    upstream: `<tool_call>\n<function=write_file>\n${body}`,
    calls: [hello],
    repairs: [['missing_closer']],
  })),
  ...Object.entries(KEYS_IN_VALUES).map(([name, content]) => ({
    name,
    upstream: writeOf(content),
    calls: [written(content)],
  })),
  {
    name: 'an opening tag in place of the last closing one',
    upstream: `<tool_call>\n${json}\n<tool_call>`,
    calls: [paris],
  },
  { name: 'a bracket in place of the last closing tag', upstream: `<tool_call>\n${json}\n<`, calls: [paris] },
  {
    name: 'a parameter without a name right at the end of a value',
    upstream: callOf('write_file', { path: 'a.txt', content: '<parameter>a</parameter>' }),
    calls: [written('<parameter>a</parameter>')],
    repairs: [[]],
  },
];
