import { describe, expect, it } from '@jest/globals';
import { decisionTimeline, longWaitMs } from '../assets/data/timeline.js';

/** Name, start, end and tone of each step. */
function steps(entry, nowMs) {
  return decisionTimeline(entry, { nowMs }).steps.map(({ name, startMs, endMs, tone }) => [
    name,
    startMs,
    endMs,
    tone,
  ]);
}

describe('decisionTimeline', () => {
  it('lists the steps of a plain answer', () => {
    const entry = {
      outcome: 'ok',
      queuedMs: 20,
      attempts: [{ account: 'a', startedMs: 20, durationMs: 980, outcome: 'ok' }],
      acceptedMs: 120,
      firstAnswerMs: 300,
      firstTokenMs: 301,
      finishReason: 'stop',
      totalMs: 1005,
    };
    expect(decisionTimeline(entry)).toEqual({
      lengthMs: 1005,
      steps: [
        { name: 'Waited', detail: 'for a free session', startMs: 0, endMs: 20, tone: 'none' },
        { name: 'Attempt 1', detail: 'account a · ok', startMs: 20, endMs: 1000, tone: 'ok' },
        {
          name: 'Accepted',
          detail: 'until the upstream took the prompt',
          startMs: 20,
          endMs: 120,
          tone: 'info',
        },
        {
          name: 'Answer began',
          detail: 'until the upstream began to answer',
          startMs: 120,
          endMs: 300,
          tone: 'info',
        },
        {
          name: 'First token',
          detail: 'went to the caller; the rest followed',
          startMs: 301,
          endMs: 1005,
          tone: 'ok',
        },
        { name: 'Done', detail: 'stop', startMs: 1005, endMs: 1005, tone: 'ok' },
      ],
    });
  });

  it('shows retries, holds and corrections', () => {
    const entry = {
      outcome: 'ok',
      queuedMs: 10,
      attempts: [
        { account: 'a', startedMs: 10, durationMs: 90, outcome: 'rate_limited' },
        { account: 'b', startedMs: 150, durationMs: 850, outcome: 'ok' },
      ],
      acceptedMs: 200,
      firstAnswerMs: 250,
      firstTokenMs: 700,
      corrections: [{ atMs: 400, cause: 'echo', action: 'regenerated', detail: '800 characters' }],
      totalMs: 1000,
    };
    expect(steps(entry)).toEqual([
      ['Waited', 0, 10, 'none'],
      ['Attempt 1', 10, 100, 'limit'],
      ['Retried', 100, 150, 'warn'],
      ['Attempt 2', 150, 1000, 'ok'],
      ['Accepted', 150, 200, 'info'],
      ['Answer began', 200, 250, 'info'],
      ['Held back', 250, 700, 'warn'],
      ['Asked again', 400, 400, 'warn'],
      ['First token', 700, 1000, 'ok'],
      ['Done', 1000, 1000, 'ok'],
    ]);
  });

  it('tells the wait for a body and the work of the gateway from the wait for a session', () => {
    const request = { outcome: 'ok', receivedMs: 400, preparedMs: 410, queuedMs: 100, totalMs: 1000 };
    const attempts = [{ account: 'a', startedMs: 510, durationMs: 490, outcome: 'ok' }];
    expect(steps({ ...request, attempts })).toEqual([
      ['Received', 0, 400, 'none'],
      ['Prepared', 400, 410, 'none'],
      ['Waited', 410, 510, 'none'],
      ['Attempt 1', 510, 1000, 'ok'],
      ['Done', 1000, 1000, 'ok'],
    ]);
    expect(steps({ ...request, outcome: 'rate_limited', totalMs: 520 })).toEqual([
      ['Received', 0, 400, 'none'],
      ['Prepared', 400, 410, 'none'],
      ['Waited', 410, 510, 'none'],
      ['Done', 520, 520, 'limit'],
    ]);
    expect(steps({ ...request, receivedMs: 1, preparedMs: 2, attempts }).at(0)).toEqual([
      'Waited',
      2,
      510,
      'none',
    ]);
  });

  it('does not take the waits between attempts for one before the first', () => {
    const attempts = [
      { account: 'a', startedMs: 800, durationMs: 100, outcome: 'rate_limited' },
      { account: 'b', startedMs: 1900, durationMs: 100, outcome: 'ok' },
    ];
    const entry = { outcome: 'ok', receivedMs: 1, preparedMs: 790, queuedMs: 1010, attempts, totalMs: 2000 };
    expect(steps(entry).slice(0, 2)).toEqual([
      ['Prepared', 1, 790, 'none'],
      ['Waited', 790, 800, 'none'],
    ]);
  });

  it('shows the wait of a running request while it lasts', () => {
    const entry = { outcome: 'pending', receivedMs: 5, preparedMs: 40, queuedMs: 0, attempts: [] };
    expect(steps(entry, 900)).toEqual([
      ['Received', 0, 5, 'none'],
      ['Prepared', 5, 40, 'none'],
      ['Waited', 40, 900, 'none'],
    ]);
    expect(steps({ ...entry, node: 'one-of-several' }, 900).at(-1)).toEqual(['Waited', 40, 40, 'none']);
  });

  it('keeps the causal order of steps without duration', () => {
    const entry = {
      outcome: 'ok',
      queuedMs: 2,
      attempts: [
        { account: 'a', startedMs: 2, durationMs: 7, outcome: 'rate_limited' },
        { account: 'b', startedMs: 9, durationMs: 30, outcome: 'ok' },
      ],
      acceptedMs: 36,
      firstAnswerMs: 36,
      firstTokenMs: 39,
      totalMs: 39,
    };
    expect(steps(entry).map(([name]) => name)).toEqual([
      'Waited',
      'Attempt 1',
      'Retried',
      'Attempt 2',
      'Accepted',
      'Answer began',
      'Held back',
      'First token',
      'Done',
    ]);
  });

  it.each([
    ['regenerated', 'Asked again'],
    ['dropped', 'Dropped'],
    ['passed', 'Let through'],
    ['failed', 'Given up'],
  ])('names an answer that was %s', (action, name) => {
    const corrections = [{ atMs: 5, cause: 'tool_call', action, detail: 'no call' }];
    expect(steps({ outcome: 'ok', corrections, totalMs: 9 })[0]).toEqual([name, 5, 5, 'warn']);
  });

  it.each(['ok', 'cancelled'])(
    'does not call it a retry when an answer that was %s is not used',
    (outcome) => {
      const entry = {
        outcome: 'ok',
        attempts: [
          { account: 'a', startedMs: 0, durationMs: 10, outcome },
          { account: 'a', startedMs: 12, durationMs: 10, outcome: 'ok' },
        ],
        corrections: [{ atMs: 10, cause: 'echo', action: 'regenerated', detail: '800 characters' }],
        totalMs: 22,
      };
      expect(steps(entry).map(([name]) => name)).toEqual([
        'Waited',
        'Attempt 1',
        'Asked again',
        'Attempt 2',
        'Done',
      ]);
    },
  );

  it('extends a running request to now', () => {
    const entry = {
      outcome: 'pending',
      attempts: [{ account: 'a', startedMs: 5, durationMs: 0, outcome: 'running' }],
      acceptedMs: 40,
      firstAnswerMs: 60,
    };
    expect(steps(entry, 500)).toEqual([
      ['Waited', 0, 5, 'none'],
      ['Attempt 1', 5, 500, 'info'],
      ['Accepted', 5, 40, 'info'],
      ['Answer began', 40, 60, 'info'],
      ['Held back', 60, 500, 'warn'],
    ]);
  });

  it.each([
    ['refused before the upstream', { outcome: 'client_error', totalMs: 2 }, [['Done', 2, 2, 'warn']]],
    [
      'without a session',
      { outcome: 'upstream_error', queuedMs: 30_000, totalMs: 30_001 },
      [
        ['Waited', 0, 30_000, 'none'],
        ['Done', 30_001, 30_001, 'bad'],
      ],
    ],
    ['with nothing known at all', { outcome: 'crashed' }, [['Done', 0, 0, 'bad']]],
  ])('copes with one %s', (_case, entry, expected) => {
    expect(steps(entry)).toEqual(expected);
    expect(decisionTimeline(entry).lengthMs).toBeGreaterThan(0);
  });
});

describe('longWaitMs', () => {
  it.each([
    [undefined, undefined],
    [999, undefined],
    [4200, 4200],
  ])('of a request that waited %s ms is %s', (queuedMs, expected) => {
    expect(longWaitMs({ queuedMs })).toBe(expected);
  });
});
