import { callOf, type ToolCallCase } from '../tool-call-case.js';

const json = '{"name": "get_weather", "arguments": {"city": "Paris"}}';
const hermes = `<tool_call>\n${json}\n</tool_call>`;
const inLine = `<tool_call>${json}</tool_call>`;
const qwen = callOf('get_weather', { city: 'Paris' });
const mistral = `[TOOL_CALLS][${json}]`;
const paris = ['get_weather', '{"city":"Paris"}'] as const;

/** Words that present what follows as an example, with text behind it. */
const PRESENTING = [
  ['Hermes wraps each in tags. A complete turn is:', 'The client replies with a message.'],
  ['The template renders this:', 'and the parser strips it.'],
  ['Your regular expression fails on it:', 'because `.*` is greedy.'],
  ['The pattern matches this:', 'It should not.'],
  ['Your test feeds this string to the parser:', 'but the assertion checks for two.'],
  ['My instructions tell me to do it so:', 'That is all I know about it.'],
  ["Here's how I would do it:", 'Shall I go ahead?'],
  ["If you confirm, I'll run:", 'Please confirm.'],
  ['モデルの出力です：', 'その後、結果を待ちます。'],
  ['Модель пишет так:', 'Затем ждёт ответа.'],
  ['모델은 다음과 같이 출력합니다:', '그런 다음 결과를 기다립니다.'],
  ['Il modello scrive:', 'Poi aspetta.'],
  ['Model şöyle yazar:', 'Sonra bekler.'],
  ['The dialects of tool calls.\n\n## Hermes', '## Mistral\n\nPick one.'],
  ['Each model has its own markup.\n\n**Hermes**', 'That was Hermes.'],
  ['**Hermes format:**', 'That was Hermes.'],
  ['The formats:\n\n- Hermes:', '- others'],
  ['Qwen 3 syntax:', 'That was Qwen.'],
] as const;

/** Texts in which a call is a part of a sentence or of code. */
const WITHIN = [
  `Answer with ${inLine} when you need the weather.`,
  `Then reply ${qwen} and stop.`,
  `\\begin{verbatim}\n${inLine}\n\\end{verbatim}\n\nprints the markup as it is.`,
  `The answer of the model ends with ${qwen} and nothing resets the buffer. Call reset().`,
  `I call tools by writing a block like ${qwen} and the system runs it.`,
  `The parser of Mistral turns ${mistral} into one call, and vLLM does so, too.`,
  `A call (${inLine}) is answered by a message.`,
  `text = '''${hermes}'''\nassert len(parse(text)) == 1\n`,
  `The formats in short:\n\n1. Hermes: ${inLine}\n2. Mistral: ${mistral}\n3. Llama: <|python_tag|>${json}\n\nEach has its own parser.`,
  `The user wrote\n\n> ${inLine}\n\nwithout a line break.`,
];

/** Code with markup of calls in it, each in the language of its fence. */
const CODE: Readonly<Record<string, string>> = {
  tsx: '<tool_call>\n  <name>{call.name}</name>\n  <arguments>{JSON.stringify(call.args)}</arguments>\n</tool_call>',
  vue: '<template>\n  <invoke name="get_weather" @done="show">\n    <parameter name="city">{{ city }}</parameter>\n  </invoke>\n</template>',
  jinja: `{%- for call in calls %}\n{{- '<tool_call>\\n{"name": "' ~ call.name ~ '"}\\n</tool_call>' }}\n{%- endfor %}`,
  gotmpl:
    '{{- range .Calls }}\n<tool_call>\n{"name": "{{ .Name }}", "arguments": {{ .Arguments }}}\n</tool_call>\n{{- end }}',
  php: `<?php echo "<tool_call>" . json_encode(["name" => "get_weather"]) . "</tool_call>"; ?>`,
  rust: `let s = "<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{\\"city\\":\\"a\\"}<|tool_call_end|>";`,
  yaml: '- raw: |\n    <tool_call>get_weather\n    <arg_key>city</arg_key>\n    <arg_value>Paris</arg_value>\n    </tool_call>',
  diff: `-${inLine}\n+${inLine.replace('Paris', 'Rome')}`,
  python: `>>> parse('${inLine}')\n[Call(name='get_weather')]\n>>> get_weather(city="Paris")`,
};

/** Messages of APIs in a fence, whose first member is not the name. */
const MESSAGES = [
  '{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}',
  '{"type":"tool_use","id":"toolu_1","name":"get_weather","input":{"city":"Paris"}}',
  '[{"type": "function_call", "call_id": "c", "name": "get_weather", "arguments": "{}"}]',
  '{"type":"tool-call","toolCallId":"c1","toolName":"get_weather","input":{"city":"Paris"}}',
  '{"functionCall": {"name": "get_weather", "args": {"city": "Paris"}}}',
  '{"tool_uses": [{"recipient_name": "functions.get_weather", "parameters": {"city": "Paris"}}]}',
];

/** Words that present such a message, which text follows. */
const PRESENTING_MESSAGES = [
  'Send this to the service:',
  'Step 2: append the message of the assistant:',
  'In their form:',
];

/** Words behind which a call is meant, also with text behind it. */
const MEANT = [
  'Let me look at this:',
  "I'll run it:",
  'Now reading it:',
  'The file is missing.',
  'Sure!',
  'Action:',
  'Some text before',
] as const;

const asText = (whole: string): ToolCallCase => ({
  name: `no call: ${JSON.stringify(whole)}`,
  upstream: whole,
  text: whole,
});

export const mentions: readonly ToolCallCase[] = [
  ...PRESENTING.flatMap(([words, behind]) =>
    [hermes, qwen, mistral].map((markup) => asText(`${words}\n\n${markup}\n\n${behind}`)),
  ),
  ...WITHIN.map(asText),
  ...Object.entries(CODE).flatMap(([language, code]) =>
    ['', 'Now the code.\n\n'].map((words) => asText(`${words}\`\`\`${language}\n${code}\n\`\`\`\n`)),
  ),
  asText('>>> get_weather(city="Paris")\n\'sunny\'\n>>> ping()\n'),
  asText(`name,arguments\nget_weather,"{""city"": ""Paris""}"\n`),
  ...MESSAGES.map((message) =>
    asText(`The API returns:\n\n\`\`\`json\n${message}\n\`\`\`\n\nMind its types.`),
  ),
  ...PRESENTING_MESSAGES.flatMap((words) =>
    MESSAGES.map((message) => asText(`${words}\n\n\`\`\`json\n${message}\n\`\`\`\n\nThen run the tool.`)),
  ),
  ...PRESENTING.map(([words]) => ({
    name: `a call that ends the answer behind ${JSON.stringify(words)}`,
    upstream: `${words}\n\n${qwen}\n`,
    text: words,
    calls: [paris],
  })),
  ...MEANT.map((words) => ({
    name: `a call behind ${JSON.stringify(words)}, and text`,
    upstream: `${words}\n${qwen}\nsome text behind.`,
    text: `${words}\nsome text behind.`,
    calls: [paris],
  })),
  {
    name: 'a call that text presents behind another call, and text',
    upstream: `${qwen}\nThe other one now:\n${qwen}\nDone.`,
    text: 'The other one now:\nDone.',
    calls: [paris, paris],
  },
  {
    name: 'a message with a call behind text, not in a fence',
    upstream: `I look.\n{"type": "tool_use", "id": "1", "name": "get_weather", "input": {"city": "Paris"}}`,
    text: 'I look.',
    calls: [paris],
  },
];
