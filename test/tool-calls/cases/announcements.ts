import { callOf, type ToolCallCase } from '../tool-call-case.js';

const json = '{"name": "get_weather", "arguments": {"city": "Paris"}}';
const city = '{"city": "Paris"}';
const tokensOfKimi = (inner: string): string =>
  `<|tool_calls_section_begin|>${inner}<|tool_calls_section_end|>`;
const paris = ['get_weather', '{"city":"Paris"}'] as const;
const lyon = ['get_weather', '{"city":"Lyon"}'] as const;

/** A call as models of several families write it. */
const DIALECTS = [
  `<tool_call>\n${json}\n</tool_call>`,
  `<tool_call>${json}</tool_call>`,
  callOf('get_weather', { city: 'Paris' }),
  `✿FUNCTION✿: get_weather\n✿ARGS✿: ${city}`,
  `<|python_tag|>{"name": "get_weather", "parameters": ${city}}`,
  `<function=get_weather>${city}</function>`,
  `[TOOL_CALLS][${json}]`,
  `[TOOL_CALLS]get_weather[ARGS]${city}`,
  '<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n</tool_call>',
  tokensOfKimi(
    `<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>${city}<|tool_call_end|>`,
  ),
  `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>${city}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  `<|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>${city}<|call|>`,
  '<minimax:tool_call>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n</invoke>\n</minimax:tool_call>',
  '<function_calls>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n</invoke>\n</function_calls>',
  '<invoke name="get_weather">\n<param name="city">Paris</param>\n</invoke>',
  `<function=get_weather${city}</function>`,
  `<function>get_weather${city}</function>`,
  `<tool_call>\n{"name": "get_weather"}\n${city}\n</tool_call>`,
] as const;

/** Words behind which models make calls; a colon or a heading makes no example of them. */
const LEADS = [
  ...['The weather in Paris:', 'Weather in Paris, using the tool:', '## Weather in Paris', '**Step 1:**'],
  ...[
    '**Weather in Paris**',
    '1. Get the weather in Paris:',
    '- Weather in Paris:',
    '### Step 1: Get the weather',
  ],
  ...['Step 1: Get the weather in Paris', '**Tool call:**', '**Tool Call: get_weather**', 'Function call:'],
  ...['Tool call for the weather:', 'Here is the tool call:', "Here's the call to get the weather:"],
  ...['To answer this, the weather is needed:', 'To get the weather in Paris, call get_weather:'],
  ...['First, the weather:', "Sure! Here's the weather for Paris:", 'One moment please:'],
  ...[
    'Okay, calling the weather tool for Paris:',
    'I will check the weather:',
    'Using the tool get_weather:',
  ],
  ...['Request to the weather service:', 'The user wants the weather in Paris. Next step:'],
  ...['You asked about the weather in Paris. Calling the tool:', 'Plan:\n1. Weather\n2. Answer\n\nStep 1:'],
  ...['Thought: The user asks for the weather.\nAction:', 'The city is missing, so the default one:'],
  ...['The best tool for this is get_weather:', 'The following tool call will be executed:'],
  ...['The server returned 500. The log of the last run:', 'Its model of the data has to be read:'],
  ...['The parser prints the wrong line. Its source:', 'The parser emits a wrong token, so this first:'],
  ...['I see how it could fail:', 'A complete answer needs the weather:', "After that, I'll check Paris:"],
  ...["Once it is known, I'll answer:", "If you want the weather, I'll look it up:", 'Mistral news:'],
  ...['## Mistral', '**Claude**', 'My call to the tool for the weather is', 'The expected output was:'],
  ...['Das Wetter in Paris:', 'Hier ist der Aufruf:', 'Ich frage das Wetter für Paris ab:'],
  ...['Um das Wetter zu erfahren, nutze ich das Werkzeug:'],
  ...['La météo à Paris :', "J'appelle l'outil météo :", "Voici l'appel :", 'Je consulte la météo :'],
  ...['El tiempo en París:', 'Consulto el tiempo en París:', 'Aquí está la llamada:', 'O tempo em Paris:'],
  ...['巴黎的天气：', '我来查询巴黎的天气：', '正在查询天气：', '调用工具：', 'パリの天気：'],
  ...['天気を調べます：', 'ツールを呼び出します：', 'モデルの一覧を取得します：', '파리 날씨를 확인합니다:'],
  ...['Проверяю погоду:', 'Модель машины есть в файле:', 'Il meteo a Parigi:', 'Il modello è nel file:'],
] as const;

/** What small models write behind their calls instead of waiting. */
const TAILS = [
  ...[
    'I will now wait for the result.',
    'This will show the weather in Paris.',
    'Result: 18 degrees, sunny.',
  ],
  ...[
    'Please wait while the tool runs.',
    'Once I have the result, I will answer.',
    'Waiting for the response...',
  ],
  ...['(waiting for the result)', 'Ich warte auf das Ergebnis.', "J'attends le résultat.", 'Esperando.'],
  ...[
    '等待结果。',
    '結果を待ちます。',
    'and then I will tell you.',
    'but the result has to come first.',
    '---',
  ],
  ...['**Output:** 18 degrees', '→ 18 degrees', '- Lyon', 'because the weather is needed.'],
] as const;

/** Ends of the sentence in which a call stands: what the model does next, or a result that it made up. */
const ENDS = [
  ...[' and then I will tell you.', ', and wait for the result.', ' so that we know.', ' → 18 degrees'],
  ...[': 18 degrees', ') and so on.'],
] as const;

/** Words behind which documents show calls. */
const PRESENTING = [
  'Llama writes calls like this:',
  'Qwen 3 usually emits',
  'The failed generation was:',
  'A report names this failed generation:',
] as const;

/** Takes the items in turn. */
const nth = <T>(items: readonly T[], index: number): T => items[index % items.length]!;

function announced(lead: string, call: string, tail: string): ToolCallCase {
  return {
    name: `${JSON.stringify(lead)}, a call ${JSON.stringify(call.slice(0, 24))}, ${JSON.stringify(tail)}`,
    upstream: `${lead}\n\n${call}\n\n${tail}`,
    text: `${lead}\n\n${tail}`,
    calls: [paris],
  };
}

export const announcements: readonly ToolCallCase[] = [
  ...LEADS.map((lead, index) => announced(lead, nth(DIALECTS, index), nth(TAILS, index))),
  ...LEADS.map((lead, index) => announced(lead, nth(DIALECTS, index * 7 + 3), nth(TAILS, index + 5))),
  ...ENDS.map((end, index) => ({
    name: `a call within a sentence that goes on ${JSON.stringify(end)}`,
    upstream: `So the next thing is to call it with ${nth(DIALECTS, index)}${end}`,
    text: `So the next thing is to call it with ${end.trimStart()}`,
    calls: [paris],
  })),
  ...DIALECTS.map((call) => ({
    name: `steps with calls ${JSON.stringify(call.slice(0, 24))}`,
    upstream: `1. Weather in Paris:\n\n${call}\n\n2. Weather in Lyon:\n\n${call.replace('Paris', 'Lyon')}\n\n3. I compare.`,
    text: '1. Weather in Paris:\n\n2. Weather in Lyon:\n\n3. I compare.',
    calls: [paris, lyon],
  })),
  ...DIALECTS.flatMap((call, index) =>
    [`${nth(PRESENTING, index)}\n\n${call}\n\nThe server runs it.`, `- ${call} is its form.\n`].map(
      (text) => ({
        name: `an example ${JSON.stringify(text)}`,
        upstream: text,
        text,
      }),
    ),
  ),
];
