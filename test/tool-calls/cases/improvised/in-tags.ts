import { type ToolCallCase } from '../../tool-call-case.js';

const paris = ['get_weather', '{"city":"Paris"}'] as const;
const twoDays = ['get_weather', '{"city":"Paris","days":2}'] as const;
const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>';

/** Arguments in the attributes of a tag. */
const ATTRIBUTES: Readonly<Record<string, readonly [string, readonly [string, string]]>> = {
  'attributes of a call': ['<tool_call name="get_weather" city="Paris" />', paris],
  'attributes and a name without quotes': ['<tool_call name=get_weather city="Paris" days="2"/>', twoDays],
  'attributes of an invocation': [`<invoke name="get_weather" city='Paris' days="2"/>`, twoDays],
  'attributes in a wrapper': [
    '<function_calls>\n<invoke name="get_weather" id="1" city="Paris"/>\n</function_calls>',
    paris,
  ],
  'attributes and a closing tag': ['<tool_call name="get_weather" city="Paris"></tool_call>', paris],
  'attributes and a parameter': [
    '<invoke name="get_weather" city="Paris">\n<parameter name="days">2</parameter>\n</invoke>',
    twoDays,
  ],
  'all arguments in an attribute': [
    `<tool_call name="get_weather" arguments='{"city": "Paris", "days": 2}'/>`,
    twoDays,
  ],
  'all arguments in an attribute, with entities': [
    '<invoke name="get_weather" arguments="{&quot;city&quot;: &quot;Paris&quot;}"></invoke>',
    paris,
  ],
  'a tag without content of a tool that needs no arguments': ['<invoke name="ping"/>', ['ping', '{}']],
};

/** Names and arguments in tags that models mistake for others, or do not end. */
const MISTAKEN: Readonly<Record<string, readonly [string, readonly (readonly [string, string])[]]>> = {
  'a name and arguments in a tag of a function': [
    '<function>get_weather{"city": "Paris"}</function>',
    [paris],
  ],
  'a name and a line of arguments in such a tag, twice': [
    '<function>get_weather\n{"city": "Paris"}\n</function>\n<function>get_weather\n{"city": "Paris", "days": 2}\n</function>',
    [paris, twoDays],
  ],
  'a name and arguments in a tag of a call': ['<call>get_weather{city:<|"|>Paris<|"|>}</call>', [paris]],
  'arguments in the tag of a function': ['<function=get_weather{"city": "Paris"}</function>', [paris]],
  'arguments behind a comma in the tag of a function': [
    '<function=get_weather, {"city": "Paris"}></function>',
    [paris],
  ],
  'a list of arguments in the tag of a function': [
    '<function=get_weather [{"city": "Paris"}] </function>',
    [paris],
  ],
  'arguments assigned in the tag of a function': [
    '<function=get_weather={"city": "Paris"}</function>',
    [paris],
  ],
  'arguments in parentheses in the tag of a function, behind text': [
    'I look.\n<function=get_weather({"city": "Paris"})</function>',
    [paris],
  ],
  'tags without the blank in front of a name': [
    '<functionname="get_weather"><paramname="city">Paris</param><paramname="days">2</param></function>',
    [twoDays],
  ],
  'a name in quotes in front of an object': [
    `<tool_call>\n"get_weather": {"city": "Paris"}\n</tool_call>`,
    [paris],
  ],
  'a list of a name and arguments': ['<tool_call>["get_weather", {"city": "Paris"}]</tool_call>', [paris]],
  'a list of such lists': [
    '[TOOL_CALLS][["get_weather", {"city": "Paris"}], ["get_weather", {"city": "Paris", "days": 2}]]',
    [paris, twoDays],
  ],
};

/** Tags that hold no call, or one that prose mentions. */
const TEXT: Readonly<Record<string, string>> = {
  'a tag with attributes in a sentence': 'Write <tool_call name="get_weather" city="Paris"/> and go on.',
  'such a tag at the end of a sentence': 'You write <tool_call name="get_weather" city="Paris"/>',
  'such a tag in a line of its own with text behind it':
    'In XML:\n<invoke name="get_weather" city="Paris"/>\nis a call.',
  'such a tag in a comment': '<!-- <tool_call name="get_weather" city="Paris"/> -->',
  'such a tag in a table': '| attributes | <tool_call name="get_weather" city="Paris"/> |\n',
  'a tag of a function in a sentence': 'A <function>get_weather{"city": "Paris"}</function> is a call.',
  'a tag of a function with a name only': '<function>get_weather</function>',
  'a tag of a function with the name of no tool': '<function>main{"city": "Paris"}</function>',
  'a tag of a function with members of no tool': '<function>get_weather{"type": "object"}</function>',
  'the tag of a function in code': 'Use `<function=get_weather{"city": "Paris"}</function>` here.',
  'the role of a message': 'assistant\n\nis the role of the model.',
  roles: 'assistant\nuser\nsystem',
  'the role of gpt-oss in front of text': 'assistantcommentary to=functions.get_weather is a leak.',
  'the role of gpt-oss in front of a channel': 'assistant<|channel|> is how it begins.',
  'a header of a message in text': 'It ends in <|im_start|>assistant\nand goes on.',
  'a closing tag in text without calls': 'Close it with\n</tool_call>\n',
};

/** What leaks into an answer in front of a call. */
const LEAKS = [
  'assistant\n',
  'assistant\n\n',
  '<|im_start|>assistant\n',
  '<|start_header_id|>assistant<|end_header_id|>\n\n',
];

export const inAttributes: readonly ToolCallCase[] = [
  ...Object.entries(ATTRIBUTES).map(([name, [upstream, read]]) => ({ name, upstream, calls: [read] })),
  ...Object.entries(TEXT).map(([name, upstream]) => ({ name, upstream, text: upstream })),
  ...Object.entries(MISTAKEN).map(([name, [upstream, calls]]) => ({
    name,
    upstream,
    text: upstream.startsWith('I look.') ? 'I look.' : '',
    calls,
  })),
  ...['<tool_call name="get_weather" days="2"/>', '<invoke name="get_weather"/>'].map((upstream) => ({
    name: `a tag that lacks a required argument: ${upstream}`,
    upstream,
    text: upstream,
    problem: 'cut' as const,
  })),
  {
    name: 'an attribute with the end of a tag in it',
    upstream: '<tool_call name="run_command" command="a > b"/>\n</tool_call>',
    text: '<tool_call name="run_command" command="a > b"/>\n</tool_call>',
    problem: 'malformed',
  },
  ...LEAKS.flatMap((leak) =>
    [
      call,
      '{"name": "get_weather", "arguments": {"city": "Paris"}}',
      '[TOOL_CALLS]get_weather[ARGS]{"city": "Paris"}',
    ].map((body) => ({
      name: `${JSON.stringify(leak)} in front of ${body.slice(0, 10)}`,
      upstream: leak + body,
      calls: [paris],
    })),
  ),
  ...[
    'assistant<|channel|>commentary to=functions.get_weather<|message|>{"city":"Paris"}<|call|>',
    'assistantcommentary to=functions.get_weather json{"city":"Paris"}',
  ].map((upstream) => ({ name: `the role of gpt-oss: ${upstream}`, upstream, calls: [paris] })),
  {
    name: 'a closing tag that is left over at the end',
    upstream: `${call}\nI look it up.\n</tool_call>\n`,
    text: 'I look it up.\n\n',
    calls: [paris],
  },
  {
    name: 'a closing tag in a sentence at the end',
    upstream: `${call}\nIt ends in </tool_call>`,
    text: 'It ends in </tool_call>',
    calls: [paris],
  },
  {
    name: 'a list whose quotes are entities',
    upstream:
      '<tool_call>\n<function=search>\n<parameter=tags>[&quot;a&quot;, &quot;&lt;b&quot;]</parameter>\n</function>\n</tool_call>',
    calls: [['search', '{"tags":["a", "<b"]}']],
    repairs: [['entities']],
  },
  {
    name: 'a text with entities, which may be those of a document',
    upstream:
      '<tool_call>\n<function=write_file>\n<parameter=path>a.html</parameter>\n<parameter=content>&quot;a&quot; &amp; b</parameter>\n</function>\n</tool_call>',
    calls: [['write_file', '{"path":"a.html","content":"&quot;a&quot; &amp; b"}']],
  },
];
