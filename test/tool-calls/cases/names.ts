import { callOf, type ToolCallCase, TOOLS } from '../tool-call-case.js';

const paris = '{"city":"Paris"}';

/** Names that can mean only one of the tools. */
const MEANT = [
  'Get_Weather',
  'getWeather',
  'get-weather',
  'get.weather',
  'GET_WEATHER',
  'functions.get_weather',
  'function.get_weather',
  'tools/get_weather',
  'tool:getWeather',
  'default_api.get_weather',
  ' get_weather ',
];

/** Ids of Kimi whose signs are lost or others. */
const IDS = [
  'functions.get_weather.0',
  'functions_get_weather_0',
  'functions.get_weather0',
  'functionsget_weather12',
];

/** Its call would be in a tag of its own among models that write one for each tool. */
const NAMED_LIKE_THE_TAG = { type: 'function', function: { name: 'tool_call', parameters: {} } } as const;

/** Calls of tools that are not offered. */
const UNKNOWN: Readonly<Record<string, string>> = {
  'a call': callOf('get_time', { city: 'Paris' }),
  'a call with markup and code in it': callOf('get_time', {
    a: `\`\`\`\n${callOf('ping')}\n`,
    b: '`<tool_call>',
  }),
  'a call as JSON': '<tool_call>\n{"name": "get_time", "arguments": {"city": "Paris"}}\n</tool_call>',
  'an invocation': '<invoke name="get_time"><parameter name="city">Paris</parameter></invoke>',
  'a listed call': '[TOOL_CALLS] [{"name": "get_time", "arguments": {}}]',
  'a call behind a marker': '<|python_tag|>{"name": "get_time", "parameters": {}}',
  'bare JSON': '{"name": "get_time", "arguments": {}}',
  'a name that only begins like one': callOf('get_weather_now', { city: 'Paris' }),
  'a name that is part of one': callOf('weather', { city: 'Paris' }),
  'a name of Object': callOf('constructor', { city: 'Paris' }),
  'a call that is never closed': '<tool_call><function=get_time><parameter=a>`b',
};

export const names: readonly ToolCallCase[] = [
  ...MEANT.map((name) => ({
    name: `the name ${JSON.stringify(name)}`,
    upstream: callOf(name, { city: 'Paris' }),
    calls: [['get_weather', paris] as const],
    repairs: [name.trim() === 'get_weather' ? [] : ['name']],
  })),
  ...MEANT.map((name) => ({
    name: `the name ${JSON.stringify(name)} in JSON`,
    upstream: `<tool_call>${JSON.stringify({ name, arguments: { city: 'Paris' } })}</tool_call>`,
    calls: [['get_weather', paris] as const],
    repairs: [['name']],
  })),
  ...[
    ...IDS.map((id) => [id, paris]),
    ['functions.get_weather:0', JSON.stringify(paris)],
    ['call_a1b2c3', `{"name": "get_weather", "arguments": ${paris}}`],
    ['call_a1b2c3', '{"name": "get_weather", "city": "Paris"}'],
  ].map(([id, json]) => ({
    name: `${json} behind the id ${id}`,
    upstream: `<|tool_calls_section_begin|><|tool_call_begin|>${id}<|tool_call_argument_begin|>${json}<|tool_call_end|><|tool_calls_section_end|>`,
    calls: [['get_weather', paris] as const],
  })),
  ...[callOf('ping'), '<tool_call>{"name": "ping", "arguments": {}}</tool_call>'].map((upstream) => ({
    name: `a tool that is named like the tag of ${JSON.stringify(upstream)}`,
    upstream: `I look.\n${upstream}\n${callOf('tool_call', { id: 'a' })}`,
    tools: [...TOOLS, NAMED_LIKE_THE_TAG],
    text: 'I look.',
    calls: [['ping', '{}'] as const, ['tool_call', '{"id":"a"}'] as const],
  })),
  ...Object.entries(UNKNOWN).map(([name, upstream]) => ({
    name: `${name} of no offered tool`,
    upstream: `Now:\n${upstream}\n`,
    text: `Now:\n${upstream}\n`,
  })),
  ...['a call', 'a call as JSON', 'a call that is never closed'].map((name) => ({
    name: `${name} of no offered tool, with which the answer begins`,
    upstream: `\n${UNKNOWN[name]} Done.`,
    text: `\n${UNKNOWN[name]} Done.`,
    problem: 'unknown' as const,
  })),
  {
    name: 'a call of an offered tool after one that is not',
    upstream: `${callOf('get_time', { a: '```\n`' })}\n${callOf('ping')}`,
    text: callOf('get_time', { a: '```\n`' }),
    calls: [['ping', '{}']],
  },
  {
    name: 'a list of which only one is offered',
    upstream: '[TOOL_CALLS] [{"name":"ping","arguments":{}},{"name":"get_time","arguments":{}}]',
    text: '{"name":"get_time","arguments":{}}]',
    calls: [['ping', '{}']],
  },
];
