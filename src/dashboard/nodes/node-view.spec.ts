import { describe, expect, it } from '@jest/globals';
import { toNodeView } from './node-view.js';

const listed = {
  id: 'host-1',
  version: '1.0.0',
  isDraining: false,
  seenMsAgo: 400,
  accounts: 2,
  shares: 8,
  report: { logName: 'log-1', logLagMs: 90, readiness: 'ok', uptimeMs: 5, running: 1, waiting: 2, leases: 3 },
};

describe('toNodeView', () => {
  it('joins what the database knows and what the node tells', () => {
    expect(toNodeView({ ...listed, report: { ...listed.report, overridden: ['LOG_LEVEL'] } })).toEqual({
      id: 'host-1',
      version: '1.0.0',
      state: 'ok',
      seenMsAgo: 400,
      accounts: 2,
      shares: 8,
      logName: 'log-1',
      logLagMs: 90,
      uptimeMs: 5,
      running: 1,
      waiting: 2,
      leases: 3,
      overridden: ['LOG_LEVEL'],
    });
  });

  it.each([
    ['draining', { isDraining: true }],
    ['silent', { isDraining: true, seenMsAgo: 5001 }],
    ['starting', { report: null }],
    ['no_account', { report: { readiness: 'no_account' } }],
  ])('says %s', (state, other) => {
    expect(toNodeView({ ...listed, ...other }).state).toBe(state);
  });
});
