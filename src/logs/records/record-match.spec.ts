import { describe, expect, it } from '@jest/globals';
import { entry, stored } from '../../../test/support/gateway/log-records.js';
import { matchesFilter } from './record-match.js';

const FAILED = stored(
  entry('req_1', {
    key: 'ann',
    account: 'boss@corp.example',
    error: {
      code: 'internal_error',
      reason: 'upstream_unreachable',
      message: 'The upstream cannot be reached.',
      cause: 'connect ECONNREFUSED 10.1.2.3:8443',
    },
    attempts: [
      {
        account: 'boss@corp.example',
        startedMs: 0,
        durationMs: 1,
        outcome: 'page_failed',
        detail: 'org-SECRET',
      },
    ],
  }),
);

describe('matchesFilter', () => {
  it.each(['10.1.2.3', 'org-secret', 'boss@corp', 'page failed', 'page_failed'])(
    'finds %s for an operator, and not for the caller, who is not shown it',
    (q) => {
      expect(matchesFilter(FAILED, { q })).toBe(true);
      expect(matchesFilter(FAILED, { q, key: 'ann', isCallers: true })).toBe(false);
    },
  );

  it.each(['cannot be reached', 'upstream unreachable', 'req_1', 'svc-max'])('finds %s for both', (q) => {
    expect(matchesFilter(FAILED, { q })).toBe(true);
    expect(matchesFilter(FAILED, { q, key: 'ann', isCallers: true })).toBe(true);
  });
});
