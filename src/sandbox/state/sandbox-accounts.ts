import { createHmac } from 'node:crypto';
import { isSameSecret } from './signed-cookie.js';

export interface SandboxAccount {
  readonly name: string;
  readonly password: string;
}

export type LoginResult = 'ok' | 'wrong' | 'locked';

/** Submissions of an account's login form, by result. */
export type LoginCounts = Record<LoginResult, number>;

/** Accounts with their passwords, locks and challenges. */
export class SandboxAccounts {
  private readonly counts = new Map<string, LoginCounts>();
  private readonly locked = new Set<string>();
  /** End of each account's challenge, in milliseconds of `performance.now()`. */
  private readonly blockedUntil = new Map<string, number>();

  constructor(readonly list: readonly SandboxAccount[]) {
    for (const { name } of list) {
      this.counts.set(name, { ok: 0, wrong: 0, locked: 0 });
    }
  }

  /** Counts by account name; the names are those of `list`. */
  get logins(): ReadonlyMap<string, Readonly<LoginCounts>> {
    return this.counts;
  }

  has(name: string): boolean {
    return this.counts.has(name);
  }

  logIn(name: string, password: string): LoginResult {
    const account = this.list.find((candidate) => candidate.name === name);
    const result = !account || !isSameSecret(password, account.password) ? 'wrong' : this.resultFor(name);
    const counts = this.counts.get(name);
    if (counts) {
      counts[result]++;
    }
    return result;
  }

  setLocked(name: string, isLocked: boolean): void {
    if (isLocked) {
      this.locked.add(name);
    } else {
      this.locked.delete(name);
    }
  }

  block(name: string, seconds: number): void {
    this.blockedUntil.set(name, performance.now() + seconds * 1000);
  }

  unblock(name: string): void {
    this.blockedUntil.delete(name);
  }

  isBlocked(name: string): boolean {
    return performance.now() < (this.blockedUntil.get(name) ?? 0);
  }

  private resultFor(name: string): LoginResult {
    return this.locked.has(name) ? 'locked' : 'ok';
  }
}

/** Three accounts with passwords derived from a secret: the same secret gives the same passwords. */
export function defaultAccounts(secret: string): SandboxAccount[] {
  return ['sandbox-1', 'sandbox-2', 'sandbox-3'].map((name) => ({
    name,
    password: createHmac('sha256', secret).update(`password:${name}`).digest('base64url').slice(0, 20),
  }));
}
