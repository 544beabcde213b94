import { callOf, type ToolCallCase } from '../tool-call-case.js';

const call = '{"name": "get_weather", "arguments": {"city": "Paris"}}';
const fenced = `\`\`\`json\n${call}\n\`\`\``;
const paris = ['get_weather', '{"city":"Paris"}'] as const;

/** Sentences that explain a call, so that the fenced one behind them is an example. */
const EXPLAINING = [
  'Here is an example of a call:',
  'For example:',
  'Example:',
  'A call is written as JSON, e.g.:',
  'The syntax is:',
  'To read the weather, the model writes a block such as this one:',
  'The assistant then emits:',
  'A request could look like this:',
  'You can send the following:',
  'Calls have the following form:',
  'In JSON, a call would be written like so:',
  'Each call looks like',
  'Zum Beispiel:',
  'Par exemple :',
  'Por ejemplo:',
  'Например:',
  '例如：',
  'たとえば:',
];

/** Sentences that announce a call. */
const CALLING = [
  'Let me look at the weather in Paris.',
  "I'll use the get_weather tool:",
  'For example, Paris may be sunny. I look it up now.',
  'You can see the problem in the schema. Let me check the format:',
  'The model of the car does not matter.',
  'This should show it:',
  'Ich sehe nach:',
  'Je vais regarder :',
];

/** Sentences that say nothing of examples; the text behind the fence shows that it is one. */
const PRESENTING = [
  'The payload has two members:',
  'Under the hood it is just an object:',
  'What the trace recorded:',
  '**Written as JSON:**',
  '调用的内容：',
];

/** Sentences that tell of calls of others, or of earlier ones. */
const TELLING = [
  'When it wants to know more, it emits JSON:',
  'OpenAI-style models return',
  'In the previous turn I called:',
  'The log contains this entry:',
  "That was the model's output:",
  'A fixture for that:',
  'After (right):',
  'Ein Aufruf wird so geschrieben:',
  'Un appel ressemble à ceci :',
];

const hermes = '<tool_call>{"name":"ping","arguments":{}}</tool_call>';
const mistral = '[TOOL_CALLS][{"name":"ping","arguments":{}}]';

/** Calls in tags or behind markers that the text around them presents as examples. */
const PRESENTED = [
  `To call, wrap JSON in tags, e.g. ${hermes} works.`,
  `The Hermes format is ${hermes}, the Mistral one ${mistral}.`,
  `The notation of Mistral is ${mistral}. I like it.`,
  `| model | call |\n|---|---|\n| Hermes | ${hermes} |\n| Mistral | ${mistral} |\n`,
  `In HTML: <code>${hermes}</code> or <pre>\n${callOf('ping')}\n</pre>`,
  `<pre class="x">${hermes}</pre>`,
  `<PRE lang='xml'><code class="language-xml">\n${callOf('ping')}\n</code></PRE>`,
  `Format:\n\n    ${hermes}\n\nThat is all.`,
  `For example:\n\n${callOf('ping')}\n\nThat is how.`,
  `A call looks like this:\n${hermes}\n`,
  `Then the model writes ${hermes}, and the gateway runs it.`,
  `**Beispiel:**\n${hermes}`,
  `例如：${hermes}`,
];

/** Sentences that announce an example in markup, which the text behind it confirms. */
const ANNOUNCING = [
  'A call in this format looks like this:',
  'Ein Aufruf sieht so aus:',
  'Por ejemplo, una llamada tiene este aspecto:',
  "Voici un exemple d'appel :",
  '下面是一个示例：',
  'The raw answer was:',
  'Instead of',
  'I would normally call',
  'Never write',
];

/** Fenced calls that go on a sentence, or that others made. */
const GOING_ON = [
  `Your test fixture should hold\n\n\`\`\`json\n[${call}]\n\`\`\`\nand nothing else.`,
  `I fixed the fixture. It now reads\n\n${fenced}`,
  `The log entry of the failing request was\n\n${fenced}\n`,
  `The payload that reached the server was\n${call}`,
];

/** Words that may stand in an explanation as well, in front of calls. */
const MEANT = [
  'Looks like the test fails:',
  'For example, the config may be wrong.',
  'For example, I will look at the first file:',
  'Let me check the format:',
  'The format is wrong, so once more:',
  'I should call this tool:',
  'This tool takes names such as "a". Calling:',
  'The models are listed in a file:',
  'Checking what the model returns:',
  'Now looking at how the model responds:',
  'Looking at the view the model generates:',
  'Read the file the model used:',
  'Checking what the log format is:',
  'Now checking what the request looks like:',
  'Reading related files such as:',
  "I'd like to inspect a file, for example:",
  'a | b',
  'Tags such as <tool_call>, in short.',
];

/** Sentences with the words of others in which the model acts. */
const ACTING = [
  'The server returns 500 where the docs promise 404.',
  'It uses the sample file.',
  'Let me see what the server returns.',
  'I check what the client sends:',
  'Tool call:',
  'Executing:',
];

const python = '[get_weather(city="Paris")]';

/** Lists of calls in Python that the text around them quotes or goes on from. */
const MENTIONED_LISTS = [
  'print(get_weather(city="Paris")) is what it runs.',
  'print(get_weather(city="Paris"))\nprint("done")',
  `For example:\n\n${python}\n\nThat is how Llama 4 writes a call.`,
  `Llama 4 writes:\n${python}`,
  `The signature in the docs is\n\n${python}\n\nbut the code takes keywords only.`,
  `Never write "${python}".`,
  `The parser should turn ${python} into one call.`,
  `| Llama 4 | ${python} |`,
  `> ${python}`,
  `- input: ${python}\n- output: a call`,
  `<code>${python}</code>`,
  `calls = ${python}\nprint(calls)`,
  `+    calls = ${python}`,
  `See ${python}(docs/x.md).`,
  `I look.\n${python}(docs/x.md)`,
  `I look.\n${python} I waited.`,
  `I look.\n[get_weather(city="Paris"), 7]`,
  `I look.\n[get_weather(city="Par`,
];

export const explanations: readonly ToolCallCase[] = [
  ...EXPLAINING.map((sentence) => `# Calls\n\n${sentence}\n\n${fenced}\n\nThe gateway runs it.`).map(
    (whole) => ({
      name: `an example behind ${JSON.stringify(whole.split('\n')[2])}`,
      upstream: whole,
      text: whole,
    }),
  ),
  ...CALLING.map((sentence) => ({
    name: `a call behind ${JSON.stringify(sentence)}`,
    upstream: `${sentence}\n\n${fenced}`,
    text: sentence,
    calls: [paris],
  })),
  ...[`An example:\n\n${fenced}\n\nWith a list:\n\n\`\`\`json\n[${call}]\n\`\`\`\n`].map((whole) => ({
    name: 'several examples of which one is announced',
    upstream: whole,
    text: whole,
  })),
  ...PRESENTING.map((sentence) => `${sentence}\n\n${fenced}\n\nThat is all.\n\n${fenced}\n`).map((whole) => ({
    name: `fences in a text, the first behind ${JSON.stringify(whole.split('\n')[0])}`,
    upstream: whole,
    text: whole,
  })),
  ...TELLING.map((sentence) => `${sentence}\n\n${fenced}\n`).map((whole) => ({
    name: `a call of others behind ${JSON.stringify(whole.split('\n')[0])}`,
    upstream: whole,
    text: whole,
  })),
  ...[...PRESENTING, ...ACTING].map((sentence) => ({
    name: `a call at the end behind ${JSON.stringify(sentence)}`,
    upstream: `${sentence}\n\n${fenced}\n`,
    text: sentence,
    calls: [paris],
  })),
  ...CALLING.map((sentence) => ({
    name: `bare JSON behind ${JSON.stringify(sentence)}`,
    upstream: `${sentence}\n\n${call}\n`,
    text: sentence,
    calls: [paris],
  })).filter(({ text }) => !text.includes('show it:')),
  ...[
    `It is this:\n\n${call}`,
    `Two lines of it:\n\n${call}\n${call}\n`,
    `I call it.\n\n${call}\n\nThat is how.`,
    `I call it.\n\n> ${call}`,
    `I call it.\n\n{"name": "get_weather", "arguments": {"city": "Par`,
    `Use "${callOf('ping')}" for that.`,
    `<!-- ${callOf('ping')} -->`,
  ].map((whole) => ({ name: `no call: ${JSON.stringify(whole)}`, upstream: whole, text: whole })),
  ...PRESENTED.map((whole) => ({
    name: `an example in tags: ${JSON.stringify(whole)}`,
    upstream: whole,
    text: whole,
  })),
  ...ANNOUNCING.flatMap((words) =>
    [hermes, callOf('ping'), mistral, `${hermes}\n${hermes}`].map((markup) => {
      const whole = `${words}\n\n${markup}\n\nThe name stands first. Then write\n${markup} as well.\n`;
      return { name: `an example: ${JSON.stringify(whole)}`, upstream: whole, text: whole };
    }),
  ),
  ...ANNOUNCING.map((words) => ({
    name: `calls that end the answer behind ${JSON.stringify(words)}`,
    upstream: `${words}\n\n${hermes}\n${callOf('ping')}\n<|im_end|>\n`,
    text: words,
    calls: [['ping', '{}'] as const, ['ping', '{}'] as const],
  })),
  ...GOING_ON.map((whole) => ({
    name: `no call in a fence: ${JSON.stringify(whole)}`,
    upstream: whole,
    text: whole,
  })),
  {
    name: 'a call of a length that examples have not',
    upstream: `A call looks so. The raw answer:\n${callOf('write_file', { path: 'a', content: 'x'.repeat(5000) })}\nDone.`,
    text: 'A call looks so. The raw answer:\nDone.',
    calls: [['write_file', JSON.stringify({ path: 'a', content: 'x'.repeat(5000) })]],
  },
  {
    name: 'a call in markup that the model intends behind an example, and text',
    upstream: `${ANNOUNCING[0]!}\n${hermes}\nThat is it. Now I will call it.\n${hermes}\nDone.`,
    text: `${ANNOUNCING[0]!}\n${hermes}\nThat is it. Now I will call it.\nDone.`,
    calls: [['ping', '{}']],
  },
  {
    name: 'a call behind words of an example, and an answer that the model invents',
    upstream: `It looks like this:\n${hermes}\n<tool_response>pong</tool_response>\nDone.`,
    text: 'It looks like this:',
    calls: [['ping', '{}']],
  },
  ...MEANT.flatMap((words) =>
    [hermes, callOf('ping'), mistral].map((call) => ({
      name: `${JSON.stringify(call.slice(0, 14))} behind ${JSON.stringify(words)}`,
      upstream: `${words}\n${call}`,
      text: words,
      calls: [['ping', '{}'] as const],
    })),
  ),
  ...MENTIONED_LISTS.map((whole) => ({
    name: `no call in Python: ${JSON.stringify(whole)}`,
    upstream: whole,
    text: whole,
  })),
  ...CALLING.filter((sentence) => !sentence.endsWith('show it:')).map((sentence) => ({
    name: `a call in Python behind ${JSON.stringify(sentence)}`,
    upstream: `${sentence}\n\n${python}\n`,
    text: sentence,
    calls: [paris],
  })),
  {
    name: 'lists in Python behind text, and the end of the turn',
    upstream: `I look.\n${python}\n[ping(), get_weather( city='Paris' )]<|eot|>`,
    text: 'I look.',
    calls: [paris, ['ping', '{}'], paris],
  },
  {
    name: 'a list in Python behind a call, and text',
    upstream: `${hermes}\n${python}\nDone.`,
    text: 'Done.',
    calls: [['ping', '{}'], paris],
  },
  {
    name: 'two bare objects behind text',
    upstream: `I look.\n${call}; {"name": "ping", "arguments": {}}<|eot_id|>`,
    text: 'I look.',
    calls: [paris, ['ping', '{}']],
  },
  {
    name: 'a fence that begins within a line',
    upstream: `Action: \`\`\`json\n[${call}]\n\`\`\``,
    text: 'Action:',
    calls: [paris],
  },
  {
    name: 'a fence of markup that begins within a line',
    upstream: `So: \`\`\`xml\n${callOf('ping')}\n\`\`\`\nend`,
    text: `So: \`\`\`xml\n${callOf('ping')}\n\`\`\`\nend`,
  },
  {
    name: 'a call in tags behind an example',
    upstream: `An example:\n\n${fenced}\n\nNow for real.\n${callOf('ping')}`,
    text: `An example:\n\n${fenced}\n\nNow for real.`,
    calls: [['ping', '{}']],
  },
];
