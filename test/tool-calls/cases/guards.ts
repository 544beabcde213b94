import { callOf, type ToolCallCase } from '../tool-call-case.js';

const call = callOf('get_weather', { city: 'Paris' });
const paris = ['get_weather', '{"city":"Paris"}'] as const;
const CUT = ['Cut off what the upstream wrote as if its call had been answered.'];

/** Continuations of an upstream that pretends its call was answered. */
const FABRICATED: Readonly<Record<string, string>> = {
  'a result': '\n\n<tool_response name="get_weather">\nSunny\n</tool_response>\nIt is sunny.',
  'a result right behind': '<tool_response>Sunny</tool_response>It is sunny.',
  'a result of another name': '\n<tool_result>\nSunny\n</tool_result>',
  'results of another dialect': '\n<function_results>\nSunny\n</function_results>',
  'the next message of the caller': '\n<user>\nThanks!\n</user>\n<assistant>\nYou are welcome.',
  'a next message of its own': '\n\n<assistant>\nDone.\n</assistant>',
  'the end of its message, and a result': '\n</assistant>\n\n<tool_response>\nSunny\n</tool_response>',
};

export const guards: readonly ToolCallCase[] = [
  ...Object.entries(FABRICATED).map(([name, fabricated]) => ({
    name: `a call, and then ${name}`,
    upstream: `Look.\n${call}${fabricated}\n${callOf('ping')}`,
    text: 'Look.',
    calls: [paris],
    notes: CUT,
  })),
  {
    name: 'a result behind text behind a call',
    upstream: `${call}\nNow it comes:\n<tool_response>\nSunny\n</tool_response>`,
    text: 'Now it comes:',
    calls: [paris],
    notes: CUT,
  },
  {
    name: 'a mention of a result behind a call',
    upstream: `${call}\nThe <tool_response> comes next. See \`<tool_response>\`.`,
    text: 'The <tool_response> comes next. See `<tool_response>`.',
    calls: [paris],
    notes: [],
  },
  {
    name: 'a role in a line behind a call',
    upstream: `${call}\n<user> is a tag.`,
    text: '<user> is a tag.',
    calls: [paris],
  },
  { name: 'white space alone', upstream: ' \n\n ', text: ' \n\n ', problem: 'empty' },
  { name: 'a demanded call', upstream: `Well.\n\n${call}`, text: 'Well.', calls: [paris], demanded: true },
  {
    name: 'a demanded call that is missing',
    upstream: 'It is sunny.\n',
    text: 'It is sunny.\n',
    demanded: true,
    problem: 'missing',
  },
  {
    name: 'a demanded call of no offered tool',
    upstream: `Well.\n${callOf('get_time')}`,
    text: `Well.\n${callOf('get_time')}`,
    demanded: true,
    problem: 'missing',
  },
  {
    name: 'a demanded call that cannot be read',
    upstream: 'Well.\n<tool_call>{"name": "get_weather", "arguments": {"days": }}</tool_call>\n',
    text: 'Well.\n<tool_call>{"name": "get_weather", "arguments": {"days": }}</tool_call>\n',
    demanded: true,
    problem: 'malformed',
  },
  { name: 'a call of the named tool', upstream: call, calls: [paris], demanded: 'get_weather' },
  {
    name: 'a call of another than the named tool',
    upstream: call,
    text: call,
    demanded: 'ping',
    problem: 'missing',
  },
  {
    name: 'a call of another tool before the named one',
    upstream: `${callOf('ping')}\n${call}`,
    text: callOf('ping'),
    calls: [paris],
    demanded: 'get_weather',
  },
];
