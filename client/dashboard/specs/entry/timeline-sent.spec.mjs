import { describe, expect, it } from '@jest/globals';
import { decisionTimeline } from '../../assets/data/timeline.js';

/** Name, start and end of each step. */
function spans(entry, network) {
  return decisionTimeline(entry, { network }).steps.map(({ name, startMs, endMs }) => [name, startMs, endMs]);
}

describe('decisionTimeline, of the way of the prompt,', () => {
  it('tells the time until the prompt was on its way from the time until it was taken', () => {
    const entry = {
      startedAt: 1000,
      outcome: 'ok',
      attempts: [
        { account: 'a', startedMs: 10, durationMs: 90, outcome: 'overloaded' },
        { account: 'b', startedMs: 150, durationMs: 850, outcome: 'ok' },
      ],
      acceptedMs: 400,
      totalMs: 1000,
    };
    const network = [
      { account: 'b', startedAt: 1600 },
      { account: 'b', startedAt: 1380 },
      { account: 'a', startedAt: 1050 },
      { account: 'a', startedAt: 900 },
    ];
    expect(spans(entry, network)).toEqual([
      ['Waited', 0, 10],
      ['Attempt 1', 10, 100],
      ['Sent', 10, 50],
      ['Retried', 100, 150],
      ['Attempt 2', 150, 1000],
      ['Sent', 150, 380],
      ['Accepted', 380, 400],
      ['Done', 1000, 1000],
    ]);
    expect(
      decisionTimeline(entry, { network: [{ account: 'b', startedAt: 1151 }] }).steps,
    ).not.toContainEqual(expect.objectContaining({ name: 'Sent' }));
  });

  it('shows to a caller, who is told of no attempts, each step behind the one before', () => {
    const entry = {
      outcome: 'ok',
      receivedMs: 5,
      preparedMs: 20,
      queuedMs: 100,
      acceptedMs: 300,
      totalMs: 900,
    };
    expect(spans(entry)).toEqual([
      ['Received', 0, 5],
      ['Prepared', 5, 20],
      ['Waited', 20, 120],
      ['Accepted', 120, 300],
      ['Done', 900, 900],
    ]);
  });
});
