import { DIALECTS } from '../dialects.js';
import { callOf, type ToolCallCase } from '../tool-call-case.js';

const call = callOf('get_weather', { city: 'Paris' });
const paris = ['get_weather', '{"city":"Paris"}'] as const;
const ping = ['ping', '{}'] as const;

/** Reasoning that is all of an answer, and makes no call. */
const THOUGHTS: Readonly<Record<string, string>> = {
  'goes on behind a call': `<think>I could write ${call} here, but I will not.`,
  'goes on with a result behind a call': `<think>I look.\n${call}\n<tool_response>Sunny</tool_response>\nSo it is.`,
  'ends within a call': `<think>I look.\n${call.slice(0, 70)}`,
  'ends in an example': `<think>The form is, for example:\n${call}`,
  'mentions a tag': '<think>A call begins with <tool_call>, so I',
  'ends in a call of no offered tool': `<think>I look.\n${callOf('get_time')}`,
};

/** Calls that a model makes without leaving its reasoning. */
export const reasoned: readonly ToolCallCase[] = [
  ...[
    'Hermes, Qwen',
    'Qwen3-Coder',
    'GLM 4.7',
    'Kimi K2',
    'DeepSeek V4',
    'MiniMax M2',
    'Mistral, by name',
  ].map((name): ToolCallCase => ({
    name: `calls of ${name} at the end of the reasoning`,
    upstream: `<think>\nI have to look.${DIALECTS[name]!.write([
      ['get_weather', { city: 'Paris' }],
      ['ping', {}],
    ])}`,
    calls: [paris, ping],
    notes: ['Took the call from the end of the reasoning, behind which nothing came.'],
  })),
  {
    name: 'a call of Apertus in its reasoning',
    upstream:
      '<|inner_prefix|>I look.<|tools_prefix|>[{"get_weather": {"city": "Paris"}}]<|tools_suffix|><|inner_suffix|>\n',
    calls: [paris],
  },
  {
    name: 'a call in front of the end of the reasoning',
    upstream: `<think>\n${call}\n</think>\n\n`,
    calls: [paris],
  },
  {
    name: 'a demanded call in the reasoning',
    upstream: `<think>So.\n${call}`,
    calls: [paris],
    demanded: true,
  },
  {
    name: 'a demanded call that the reasoning lacks',
    upstream: '<think>So.</think>',
    demanded: true,
    problem: 'missing',
  },
  {
    name: 'one of two calls in the reasoning',
    upstream: `<think>So.\n${call}\n${callOf('ping')}`,
    calls: [paris],
    isSerial: true,
  },
  {
    name: 'a call in the reasoning, and an answer',
    upstream: `<think>I could write ${call}</think>It is sunny.`,
    text: 'It is sunny.',
  },
  {
    name: 'a call in the reasoning, and another in the answer',
    upstream: `<think>I could write ${call}</think>\n${callOf('ping')}`,
    calls: [ping],
  },
  ...Object.entries(THOUGHTS).map(([what, upstream]) => ({
    name: `reasoning that ${what}`,
    upstream,
    problem: 'empty' as const,
  })),
];
