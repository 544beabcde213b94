import { describe, expect, it } from '@jest/globals';
import { type CallerHabits, habitsOf, streamFailureFor, streamsByDefault } from './known-callers.js';

const UNKNOWN: CallerHabits = {
  retriesUnanswered: false,
  streamFailure: 'event_and_cut',
  namesStream: false,
};
const SDK: CallerHabits = { retriesUnanswered: true, streamFailure: 'event_and_cut', namesStream: true };
const AI_SDK: CallerHabits = { retriesUnanswered: false, streamFailure: 'event', namesStream: true };
const AGENT: CallerHabits = { retriesUnanswered: false, streamFailure: 'cut', namesStream: true };

describe('habitsOf', () => {
  it.each<[string, CallerHabits]>([
    ['OpenAI/JS 7.57.0', SDK],
    ['OpenAI/Python 2.1.0', SDK],
    ['AsyncOpenAI/Python 1.40.0', SDK],
    ['AzureOpenAI/Python 1.40.0', SDK],
    ['AsyncAzureOpenAI/Python 1.40.0', SDK],
    ['langchainjs-openai/1.0.0 ((node/v24.21.0; linux; x64))', SDK],
    ['langchaingo/v0.1.14 (linux amd64) Go/go1.24.4', { ...UNKNOWN, namesStream: true }],
    ['ai/devel langchaingo/v0.1.14 (linux amd64) Go/go1.24.4', { ...UNKNOWN, namesStream: true }],
    ['ai/7.0.173 ai-sdk-provider-utils/5.0.81 node.js/24', AI_SDK],
    ['ai-sdk-openai-compatible/3.0.92 ai-sdk-provider-utils/5.0.81 node.js/24', AI_SDK],
    ['ai-sdk/openai-compatible/3.0.37 ai-sdk/provider-utils/5.0.30 runtime/node.js/24', AI_SDK],
    ['ai-sdk/openai-compatible/3.0.37 ai-sdk/provider-utils/5.0.30 runtime/bun/1.3.13', AGENT],
    ['opencode/1.18.33 ai-sdk/provider-utils/4.0.23 runtime/bun/1.3.14', AGENT],
    ['Kilo-Code/7.7.7', AGENT],
    ['Cline/3.0.65', AGENT],
    ['codex_exec/0.169.0 (Debian 13.0.0; x86_64) unknown', AGENT],
    ['codex_exec/0.94.0 (Debian 12.0.0; x86_64) unknown', AGENT],
    ['codex_cli_rs/0.94.0 (Debian 12.0.0; x86_64) unknown', AGENT],
    ['litellm/1.110.2', { ...UNKNOWN, namesStream: true }],
    ['lm15/stdlib', { ...UNKNOWN, namesStream: true }],
    ['@huggingface/inference/4.13.30 Node.js/24', { ...UNKNOWN, namesStream: true }],
    ['curl/8.5.0', UNKNOWN],
    ['node', UNKNOWN],
    ['undici', UNKNOWN],
    ['python-requests/2.32', UNKNOWN],
    ['Mozilla/5.0 (X11)', UNKNOWN],
    ['my-openai/1', UNKNOWN],
    ['airtable/1', UNKNOWN],
    ['', UNKNOWN],
  ])('knows %j', (agent, habits) => {
    expect(habitsOf({ 'user-agent': agent })).toEqual(habits);
  });

  it('knows a library by its own headers under any user agent, and an agent made with it', () => {
    const lang = { 'x-stainless-lang': 'js' };
    expect(habitsOf({ 'user-agent': 'my-app/1.0', ...lang })).toEqual(SDK);
    expect(habitsOf({ 'user-agent': 'ls/JS 5.23.2', ...lang })).toEqual(SDK);
    expect(habitsOf({ 'user-agent': 'QwenCode/0.24.4 (linux; x64)', ...lang })).toMatchObject({
      retriesUnanswered: true,
      streamFailure: 'cut',
    });
  });

  it('knows Claude Code by the headers of its library', () => {
    const agent = { 'user-agent': 'claude-cli/2.1.330 (external, cli)', 'x-app': 'cli' };
    expect(habitsOf({ ...agent, 'x-stainless-lang': 'js' })).toEqual(SDK);
    expect(habitsOf(agent)).toEqual(UNKNOWN);
  });

  it('knows continue over the Messages format, by a header of the format', () => {
    const agent = { 'user-agent': 'node-fetch' };
    expect(habitsOf({ ...agent, 'anthropic-version': '2023-06-01' })).toMatchObject(AGENT);
    expect(habitsOf(agent)).toEqual(UNKNOWN);
  });

  it('knows promptfoo by its own header', () => {
    const agent = { 'user-agent': 'node' };
    expect(habitsOf({ ...agent, 'x-promptfoo-version': '0.123.1' })).toMatchObject({ namesStream: true });
    expect(habitsOf(agent)).toEqual(UNKNOWN);
  });

  it('knows BAML by its own header', () => {
    expect(habitsOf({ 'baml-original-url': 'http://localhost:26405/v1' })).toEqual(AI_SDK);
  });

  it('knows Ax by its own header', () => {
    const agent = { 'user-agent': 'node' };
    expect(habitsOf({ ...agent, 'x-retry-count': '0' })).toEqual(AGENT);
  });

  it('expects nothing of a caller without a user agent', () => {
    expect(habitsOf({})).toEqual(UNKNOWN);
  });
});

describe('streamFailureFor', () => {
  it.each([
    ['auto', ['event_and_cut', 'event_and_cut', 'event', 'cut']],
    ['event', ['event_and_cut', 'event_and_cut', 'event', 'event_and_cut']],
    ['drop', ['cut', 'cut', 'cut', 'cut']],
  ] as const)('with %s', (setting, expected) => {
    const ends = [UNKNOWN, SDK, AI_SDK, AGENT].map((habits) =>
      streamFailureFor(habits, { STREAM_FAILURE: setting }),
    );
    expect(ends).toEqual(expected);
  });
});

describe('streamsByDefault', () => {
  it.each<[boolean, string, Record<string, string>]>([
    [true, 'curl', { 'user-agent': 'curl/8.5.0', accept: '*/*' }],
    [true, 'a caller that says nothing', {}],
    [true, 'one that takes events', { accept: 'text/event-stream' }],
    [true, 'one that takes either', { accept: 'application/json, text/event-stream' }],
    [true, 'one that prefers JSON', { accept: 'application/json, text/plain, */*' }],
    [false, 'one that takes JSON only', { accept: 'application/json' }],
    [false, 'a library', { 'x-stainless-lang': 'python', accept: '*/*' }],
    [false, 'LiteLLM', { 'user-agent': 'litellm/1.110.2', accept: '*/*' }],
    [false, 'the AI SDK', { 'user-agent': 'ai/7.0.173', accept: '*/*' }],
  ])('%s for %s', (expected, _who, headers) => {
    expect(streamsByDefault(headers, { STREAM_DEFAULT: 'auto' })).toBe(expected);
    expect(streamsByDefault(headers, { STREAM_DEFAULT: 'true' })).toBe(true);
    expect(streamsByDefault(headers, { STREAM_DEFAULT: 'false' })).toBe(false);
  });
});
