import { describe, expect, it } from '@jest/globals';
import { refusalsOf, requestsOf, trafficOf } from '../../../test/support/clients/client-traffic.js';
import { clientFindings } from './client-findings.js';

const MODELS = [{ id: 'svc-max', contextWindow: 1_000_000 }];
const lost = (count: number, details = {}) =>
  refusalsOf(count, { reason: 'not_found' }, { path: '/models', ...details });

describe('clientFindings', () => {
  it('tells clients and keys apart, the most frequent first, with the way to their requests', () => {
    const failed = [...lost(2), ...lost(3, { client: 'other/2' }), ...lost(1, { key: 'alone' })];
    expect(clientFindings(trafficOf(failed), MODELS)).toEqual([
      expect.objectContaining({ client: 'other/2', count: 3 }),
      {
        kind: 'wrong_base_url',
        client: 'agent/1',
        key: 'ci',
        symptom: 'It asks for /models, where nothing is.',
        cure: 'Set its base URL to this one, which ends in /v1.',
        line: '{origin}/v1',
        count: 2,
        lastAt: failed[1]?.startedAt,
        lastId: 'req_1',
        filter: { client: 'agent/1', key: 'ci', reason: 'not_found' },
      },
    ]);
  });

  it('leads to requests without a reason by their outcome', () => {
    const givenUp = requestsOf(4, { outcome: 'cancelled', totalMs: 30_000 });
    const nameless = requestsOf(4, {
      outcome: 'cancelled',
      totalMs: 9000,
      client: undefined,
      key: undefined,
    });
    expect(clientFindings(trafficOf([...givenUp, ...nameless]), MODELS)).toMatchObject([
      { client: 'agent/1', filter: { client: 'agent/1', key: 'ci', status: 'cancelled' } },
      { client: '', filter: { status: 'cancelled' } },
    ]);
  });

  it('has room for thirty, however many names there are', () => {
    const failed = Array.from({ length: 99 }, (_, index) => lost(2, { client: `bot/${index}` })).flat();
    expect(clientFindings(trafficOf(failed), MODELS)).toHaveLength(30);
  });

  it('finds nothing in a day of ordinary use', () => {
    const answered = requestsOf(300, (index) => ({
      totalMs: 900 + ((index * 7919) % 40_000),
      notes: index % 50 === 0 ? ['Tools of an unknown type were left out.'] : undefined,
    }));
    const at = (index: number, everyMs: number) => ({
      startedAt: (answered[0]?.startedAt ?? 0) + index * everyMs,
    });
    const failed = [
      // People stop answers, agents compact, limits are met and waited for, keys and names are mistyped once.
      ...requestsOf(12, (index) => ({
        outcome: 'cancelled',
        totalMs: 2000 + index * 3100,
        ...at(index, 900_000),
      })),
      ...refusalsOf(4, { reason: 'context_window_exceeded' }, (index) => at(index, 3_600_000)),
      ...refusalsOf(8, { reason: 'rate_limited', message: 'Please try again in 20s.' }, (index) => ({
        excerpt: 'Go on.',
        totalMs: 15,
        ...at(index, 20_100),
      })),
      ...refusalsOf(4, { reason: 'key_limited', message: 'The key has sent 60 requests.' }),
      ...refusalsOf(2, { reason: 'invalid_api_key' }),
      ...refusalsOf(1, { reason: 'model_not_found' }, { model: 'svc_max' }),
      ...refusalsOf(1, { reason: 'not_found' }, { path: '/models' }),
      ...refusalsOf(9, { reason: 'not_found' }, { path: '/favicon.ico', method: 'GET' }),
      ...refusalsOf(2, { reason: 'upgrade_required' }, { path: '/v1/responses', method: 'GET' }),
      ...refusalsOf(4, { reason: 'invalid_request', message: 'temperature must be at most 2.' }),
      ...refusalsOf(30, {
        reason: 'upstream_refused',
        message: 'A filter of the upstream refuses this prompt.',
      }),
    ];
    expect(clientFindings(trafficOf(failed, answered), MODELS)).toEqual([]);
  });
});
