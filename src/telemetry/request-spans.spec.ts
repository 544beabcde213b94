import { describe, expect, it } from '@jest/globals';
import { entry, NOON } from '../../test/support/gateway/log-records.js';
import { type RequestLogEntry } from '../logs/records/request-log-entry.js';
import { type RequestSpan, toRequestSpan } from './request-spans.js';

function spanOf(changes: Partial<RequestLogEntry>): RequestSpan {
  return toRequestSpan(entry('a', changes), { provider: 'web', isModel: (id) => id === 'svc-max' });
}

/** Name, start and end of each part, in milliseconds since the request began. */
function parts(changes: Partial<RequestLogEntry>): [string, number, number][] {
  const { children } = spanOf(changes);
  return children.map(({ name, startMs, endMs }) => [name, startMs - NOON, endMs - NOON]);
}

describe('toRequestSpan', () => {
  it('tells what a request waited for from its attempts', () => {
    const attempts = [
      { account: 'one', startedMs: 70, durationMs: 900, outcome: 'ok' as const, considered: [] },
    ];
    expect(parts({ receivedMs: 40, preparedMs: 45, queuedMs: 25, attempts, totalMs: 1000 })).toEqual([
      ['receive the request', 0, 40],
      ['prepare the request', 40, 45],
      ['wait for a session', 45, 70],
      ['attempt', 70, 970],
    ]);
    expect(parts({ receivedMs: 0, queuedMs: 70, attempts })).toEqual([
      ['wait for a session', 0, 70],
      ['attempt', 70, 970],
    ]);
  });

  it('says of each attempt how accounts were chosen from, and what cooldown it brought', () => {
    const attempts = [
      {
        ...{ account: 'one', startedMs: 10, durationMs: 90, outcome: 'rate_limited', cooldownMs: 60_000 },
        considered: [
          { account: 'one', outcome: 'chosen' },
          { account: 'two', outcome: 'cooldown' },
          { others: 7, outcome: 'cooldown' },
        ],
      },
      { startedMs: 100, durationMs: 0, outcome: 'login_failed' },
    ];
    const considered = [{ account: 'one', outcome: 'cooldown' }];
    const span = spanOf({ attempts, considered, totalMs: 120 });
    const [, ...made] = span.children;
    expect(made.map(({ events }) => events)).toEqual([
      [
        {
          name: 'gateway.account_choice',
          atMs: NOON + 10,
          attributes: { 'gateway.account_choice.chosen': 1, 'gateway.account_choice.cooldown': 8 },
        },
        { name: 'gateway.cooldown', atMs: NOON + 100, attributes: { 'gateway.cooldown_ms': 60_000 } },
      ],
      [],
    ]);
    expect(span.events).toEqual([
      {
        name: 'gateway.account_choice',
        atMs: NOON + 120,
        attributes: { 'gateway.account_choice.cooldown': 1 },
      },
    ]);
  });

  it('tells how long a request waited that had no session', () => {
    expect(parts({ receivedMs: 10, preparedMs: 30, queuedMs: 500 })).toEqual([
      ['receive the request', 0, 10],
      ['prepare the request', 10, 30],
      ['wait for a session', 30, 530],
    ]);
    expect(parts({})).toEqual([]);
  });

  it.each<[RequestLogEntry['outcome'], string | undefined]>([
    ['ok', undefined],
    ['client_error', undefined],
    ['rate_limited', undefined],
    ['cancelled', undefined],
    ['upstream_error', 'model_not_found'],
    ['shutdown', 'model_not_found'],
    ['crashed', 'model_not_found'],
  ])('of a request that ended as %s has the error %s, and its type in any case', (outcome, expected) => {
    const error = { code: 'model_not_found' as const, reason: 'model_not_found' as const, message: 'None.' };
    const span = spanOf({ outcome, error });
    expect(span.error).toBe(expected);
    expect(span.attributes).toMatchObject({ 'error.type': 'model_not_found' });
  });

  it('has failed without an error of its own where the process ended', () => {
    expect(spanOf({ outcome: 'crashed' }).error).toBe('crashed');
  });

  it('tells the tokens, and those of the prompt that the upstream had kept', () => {
    const usage = { promptTokens: 30, completionTokens: 4, reasoningTokens: 1, cachedTokens: 20 };
    expect(spanOf({ usage }).attributes).toMatchObject({
      'gen_ai.usage.input_tokens': 30,
      'gen_ai.usage.cache_read.input_tokens': 20,
      'gen_ai.usage.output_tokens': 4,
    });
  });

  it('is named by a known model', () => {
    expect(spanOf({}).name).toBe('chat svc-max');
    expect(spanOf({ model: 'text of a caller' }).name).toBe('chat');
    expect(spanOf({ model: undefined }).name).toBe('chat');
  });
});
