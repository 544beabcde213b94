import { type Clock } from '../../common/time/clock.js';
import { type Account } from './account.js';
import { type StoredAccount } from './store/account-store.js';

/** Cooldowns travel as remaining time, so two nodes' ideas of one end differ by the way there, in milliseconds. */
const SAME_END_MS = 250;

/**
 * Takes up what other nodes have changed in the store.
 * @param maxSessions most sessions of the account, over all nodes
 * @returns effect on the sessions: `reopened` means that they belong to an earlier login
 */
export function adoptRow(
  account: Account,
  row: StoredAccount,
  clock: Clock,
  maxSessions: number,
): 'reopened' | 'opened' | 'closed' | 'cooling' | 'cleared' | undefined {
  adoptCounts(account, row);
  const wasUsable = account.isUsable;
  const hasNewLogin = row.login !== undefined && row.login !== account.login;
  account.isEnabled = row.isEnabled;
  if (hasNewLogin) {
    account.credentials = row.credentials;
    account.resetLogin();
    account.login = row.login;
    // New credentials end it; otherwise the row has it.
    account.cooldown.clear();
  }
  account.loginFailure = row.loginFailure;
  const cooldown = adoptCooldown(account, row, clock, maxSessions);
  if (hasNewLogin) {
    return 'reopened';
  }
  if (account.isUsable === wasUsable) {
    return cooldown;
  }
  return account.isUsable ? 'opened' : 'closed';
}

function adoptCounts(account: Account, row: StoredAccount): void {
  const { unstored } = account;
  account.requests = row.requests + unstored.requests;
  account.failures = row.failures + unstored.failures;
  account.rateLimits = row.rateLimits + unstored.rateLimits;
  account.lastUsedAt = latest(account.lastUsedAt, row.lastUsedAt);
  account.lastLoginAt = latest(account.lastLoginAt, row.lastLoginAt);
}

function adoptCooldown(
  account: Account,
  row: StoredAccount,
  clock: Clock,
  maxSessions: number,
): 'cooling' | 'cleared' | undefined {
  const now = clock.monotonic();
  const { cooldown } = account;
  if (row.cooldown === undefined) {
    // The probe of another node was answered: this one's part of the account comes back gradually, too.
    if (cooldown.probeAnsweredElsewhere(now, account.tenure.partOf(maxSessions), maxSessions)) {
      return 'cleared';
    }
    if (!cooldown.isCooling(now)) {
      return undefined;
    }
    cooldown.clear();
    return 'cleared';
  }
  const { until, model } = row.cooldown;
  // One that is over still wants its probe, whoever sends it.
  const isKnown = cooldown.cause !== '' && cooldown.model === model;
  // The node that met the limit of one model may not have read yet that another is limited, or all are.
  const isBesideOther = model !== undefined && cooldown.isCooling(now);
  if ((isKnown || isBesideOther) && until - clock.now() <= cooldown.remainingMs(now) + SAME_END_MS) {
    return undefined;
  }
  cooldown.restore(row.cooldown, now, clock.now());
  return 'cooling';
}

function latest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}
