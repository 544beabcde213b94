import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SandboxAccounts } from '../state/sandbox-accounts.js';
import { SandboxRecords } from '../state/sandbox-records.js';
import { SandboxSessions } from '../state/sandbox-sessions.js';
import { SandboxSwitches } from '../state/sandbox-switches.js';
import { PendingAnswers } from './pending-answers.js';
import { type SandboxExchange } from './sandbox-exchange.js';
import { SandboxExchanges } from './sandbox-exchanges.js';

const records = new SandboxRecords({ limit: 10, keepPieceTimes: false });
const exchanges = new SandboxExchanges(
  {
    accounts: new SandboxAccounts([]),
    sessions: new SandboxSessions('secret'),
    records,
    pages: { loginPage: () => '', challengePage: () => '' },
  },
  new SandboxSwitches(),
);

function exchange(): SandboxExchange {
  const prompt = { prompt: 'x', model: 'm', thinking: false, conversationId: 'c', messageId: 'm' };
  return exchanges.accept(prompt, { account: 'anna', id: 's' }, 'eventsource', {});
}

describe('PendingAnswers', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('cancels an answer that is not fetched in time', () => {
    const pending = new PendingAnswers(100);
    const waiting = exchange();
    const id = pending.add(waiting);
    jest.advanceTimersByTime(99);
    expect(waiting.record.outcome).toBe('pending');
    jest.advanceTimersByTime(1);
    expect(waiting.record.outcome).toBe('client_closed');
    expect(pending.take(id, 'anna')).toBeUndefined();
  });

  it('hands an answer to its account, once, and leaves no timer', () => {
    const pending = new PendingAnswers(100);
    const waiting = exchange();
    const id = pending.add(waiting);
    expect(pending.take(id, 'ben')).toBeUndefined();
    expect(pending.take(id, 'anna')).toBe(waiting);
    expect(pending.take(id, 'anna')).toBeUndefined();
    expect(jest.getTimerCount()).toBe(0);
    pending.add(exchange());
    pending.close();
    expect(jest.getTimerCount()).toBe(0);
  });
});
