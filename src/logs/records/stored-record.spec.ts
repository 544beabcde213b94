import { describe, expect, it } from '@jest/globals';
import { type NetworkRecord } from './network-record.js';
import { type RequestLogEntry } from './request-log-entry.js';
import { textOf, toStoredRecord } from './stored-record.js';

const ENTRY: RequestLogEntry = {
  kind: 'request',
  id: 'req_1',
  startedAt: 5,
  method: 'POST',
  path: '/v1/chat/completions',
  operation: 'completion',
  outcome: 'ok',
  status: 200,
  model: 'svc-max',
  account: 'one',
  totalMs: 30,
  firstTokenMs: 10,
  usage: { promptTokens: 3, completionTokens: 4, reasoningTokens: 1, cachedTokens: 0 },
};
const EXCHANGE: NetworkRecord = {
  kind: 'network',
  id: 'net_1',
  requestId: 'req_1',
  startedAt: 6,
  method: 'POST',
  url: 'https://chat.example/',
};
const NUMBERS = { seq: 1, changed: 2 };

describe('toStoredRecord', () => {
  it('extracts the columns for search', () => {
    const { brief, ...columns } = toStoredRecord(ENTRY, NUMBERS);
    expect(columns).toEqual({
      ...NUMBERS,
      kind: 'request',
      key: null,
      id: 'req_1',
      requestId: null,
      startedAt: 5,
      outcome: 'ok',
      status: 200,
      model: 'svc-max',
      isModelKnown: false,
      account: 'one',
      conversation: null,
      client: '',
      reason: '',
      savedCharacters: 0,
      isCompletion: 1,
      isStranger: 0,
      totalMs: 30,
      firstTokenMs: 10,
      queuedMs: null,
      promptTokens: 3,
      cachedTokens: 0,
      completionTokens: 4,
      usage: {
        requests: 1,
        errors: 0,
        promptTokens: 3,
        completionTokens: 4,
        cachedTokens: 0,
        reasoningTokens: 1,
        savedCharacters: 0,
        queuedMs: 0,
      },
      texts: null,
      bodies: null,
      recording: null,
    });
    expect(JSON.parse(brief)).toEqual(ENTRY);
  });

  it('extracts the wait for sessions and the cached tokens', () => {
    const usage = { promptTokens: 3, completionTokens: 4, reasoningTokens: 1, cachedTokens: 2 };
    expect(toStoredRecord({ ...ENTRY, usage, queuedMs: 7.4 }, NUMBERS)).toMatchObject({
      queuedMs: 7.4,
      cachedTokens: 2,
    });
  });

  it('serialises entries with and without their texts', () => {
    const content = { messages: [{ role: 'user', content: 'a "text"\n' }], reasoning: '', answer: 'b' };
    const condensed = [{ message: 1, tool: 'ls', rules: ['log'], before: 9, after: 3 }];
    const toolCalls = [{ id: 'call_1', name: 'ls', repairs: [] }];
    const short = toStoredRecord({ ...ENTRY, content }, NUMBERS);
    expect(JSON.parse(textOf(short, true))).toEqual({ ...ENTRY, content });
    expect(JSON.parse(textOf(short, false))).toEqual(ENTRY);
    const rich = {
      ...ENTRY,
      content,
      condensed: condensed.map((record) => ({ ...record, content: { before: 'x', after: 'y' } })),
      toolCalls: toolCalls.map((call) => ({ ...call, arguments: '{}' })),
    };
    expect(JSON.parse(textOf(toStoredRecord(rich, NUMBERS), true))).toEqual(rich);
    expect(JSON.parse(textOf(toStoredRecord(rich, NUMBERS), false))).toEqual({
      ...ENTRY,
      condensed,
      toolCalls,
    });
  });

  it('serialises exchanges with and without their redacted bodies', () => {
    const bodies = { request: 'x key-1', response: 'y key-1', isOwnRequest: true, secrets: ['key-1'] };
    const stored = toStoredRecord(EXCHANGE, NUMBERS, bodies);
    expect(stored).toMatchObject({ kind: 'network', requestId: 'req_1', isCompletion: 0 });
    expect([JSON.parse(textOf(stored, true)), JSON.parse(textOf(stored, false))]).toEqual([
      { ...EXCHANGE, requestBody: 'x [redacted]', responseBody: 'y [redacted]' },
      EXCHANGE,
    ]);
  });

  it.each<[string, Partial<NetworkRecord>]>([
    ['pending', { status: 200 }],
    ['ok', { status: 304, totalMs: 1 }],
    ['rate_limited', { status: 429, totalMs: 1 }],
    ['client_error', { status: 404, totalMs: 1 }],
    ['upstream_error', { status: 500, totalMs: 1 }],
    ['upstream_error', { status: 200, totalMs: 1, error: 'stream_reset: …' }],
    ['upstream_error', { totalMs: 1 }],
    ['cancelled', { status: 200, totalMs: 1, error: 'cancelled' }],
  ])('derives the outcome %s of an exchange with %j', (outcome, changes) => {
    expect(toStoredRecord({ ...EXCHANGE, ...changes }, NUMBERS).outcome).toBe(outcome);
  });
});
