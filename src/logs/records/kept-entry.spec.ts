import { describe, expect, it } from '@jest/globals';
import { keptEntry } from './kept-entry.js';
import { type RequestError, type RequestLogEntry } from './request-log-entry.js';

const ERROR: RequestError = {
  code: 'internal_error',
  reason: 'upstream_error',
  message: 'The upstream failed.',
  cause: "Invalid value: 'the secret plan'.",
};
const ENTRY: RequestLogEntry = {
  kind: 'request',
  id: 'req_1',
  startedAt: 5,
  method: 'POST',
  path: '/v1/chat/completions',
  outcome: 'upstream_error',
  error: ERROR,
  attempts: [
    {
      account: 'one',
      startedMs: 1,
      durationMs: 2,
      outcome: 'rejected',
      detail: "It said 'the secret plan'.",
    },
    { startedMs: 3, durationMs: 0, outcome: 'no_account' },
  ],
  corrections: [{ atMs: 4, cause: 'structured_output', action: 'failed', detail: 'plan: is no number.' }],
  notes: ['Tools were left out.'],
};
const LONG = 'x'.repeat(1_000_000);

describe('keptEntry', () => {
  it.each(['preview', 'full'] as const)('keeps with %s what is said of a failure', (mode) => {
    expect(keptEntry(ENTRY, mode)).toEqual(ENTRY);
  });

  it.each(['none', 'preview', 'full'] as const)('keeps with %s no endless text', (mode) => {
    const endless: RequestLogEntry = {
      ...ENTRY,
      error: { ...ERROR, message: LONG, cause: LONG },
      attempts: [{ startedMs: 1, durationMs: 2, outcome: 'rejected', detail: LONG }],
      corrections: [{ atMs: 4, cause: 'echo', action: 'failed', detail: LONG }],
      notes: [LONG],
    };
    expect(JSON.stringify(keptEntry(endless, mode)).length).toBeLessThan(6000);
  });

  it('keeps with none no words that may be of a prompt, a schema or an answer', () => {
    const kept = keptEntry(ENTRY, 'none');
    expect(JSON.stringify(kept)).not.toMatch(/plan/);
    expect(kept).toEqual({
      ...ENTRY,
      error: { code: 'internal_error', reason: 'upstream_error', message: 'The upstream failed.' },
      attempts: [
        { account: 'one', startedMs: 1, durationMs: 2, outcome: 'rejected' },
        { startedMs: 3, durationMs: 0, outcome: 'no_account' },
      ],
      corrections: [{ atMs: 4, cause: 'structured_output', action: 'failed' }],
    });
  });

  it('keeps with none no message that says what is wrong with the answer', () => {
    const error: RequestError = {
      code: 'internal_error',
      reason: 'answer_unusable',
      message: 'plan: is no number.',
    };
    expect(keptEntry({ ...ENTRY, error }, 'none').error).toEqual({
      code: 'internal_error',
      reason: 'answer_unusable',
    });
    expect(keptEntry({ ...ENTRY, error }, 'preview').error).toEqual(error);
  });

  it('leaves the entry as it is, for the request goes on', () => {
    const before = structuredClone(ENTRY);
    keptEntry(ENTRY, 'none');
    expect(ENTRY).toEqual(before);
  });
});
