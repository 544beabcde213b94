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
  {
    name: 'a call in tags behind an example',
    upstream: `An example:\n\n${fenced}\n\nNow for real.\n${callOf('ping')}`,
    text: `An example:\n\n${fenced}\n\nNow for real.`,
    calls: [['ping', '{}']],
  },
];
