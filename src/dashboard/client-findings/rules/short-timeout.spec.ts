import { describe, expect, it } from '@jest/globals';
import { requestsOf, trafficOf } from '../../../../test/support/clients/client-traffic.js';
import { shortTimeout } from './short-timeout.js';

const givenUp = (durations: readonly number[], stream = true) =>
  trafficOf(
    requestsOf(durations.length, (index) => ({
      outcome: 'cancelled',
      stream,
      totalMs: durations[index] ?? 0,
    })),
  );

describe('shortTimeout', () => {
  it('is found where requests are given up after the same time', () => {
    expect(shortTimeout(givenUp([30_010, 7000, 30_150, 30_020, 30_003]))).toMatchObject([
      { symptom: expect.stringContaining('after 30 s'), requests: { length: 4 } },
    ]);
  });

  it('advises a client that waits for whole answers to ask for streams', () => {
    const cures = [true, false].map(
      (stream) => shortTimeout(givenUp([60_000, 60_001, 60_002, 60_003], stream))[0]?.cure,
    );
    expect(cures).toEqual([expect.not.stringContaining('stream'), expect.stringContaining('stream')]);
  });

  it.each([
    ['people leave when they like', [6000, 9000, 13_000, 21_000, 30_000, 30_200, 44_000]],
    ['some of many end alike', [30_000, 30_001, 30_002, 30_003, 5100, 6000, 7000, 8000]],
    ['it happened three times', [30_000, 30_001, 30_002]],
    ['suggestions are outdated by the next letter', [300, 301, 302, 303, 304, 305]],
    ['nobody leaves', []],
  ])('is not found where %s', (_, durations) => {
    expect(shortTimeout(givenUp(durations))).toEqual([]);
  });
});
