import { type AccountSessions } from '../accounts/pool/pool-stats.js';
import {
  type Account,
  type AccountSource,
  type AccountState,
  type LoginFailure,
} from '../accounts/registry/account.js';
import { type Holder } from '../cluster/node-list.js';

/** A gateway that uses the account. */
export interface HolderView {
  /** Both as `/dashboard/api/nodes` lists them. */
  readonly nodeId: string;
  readonly logName?: string;
  readonly isThisNode: boolean;
  /** Shares of the account: 1 of 1 for a login at a chat site, of 8 for an API key. */
  readonly shares: number;
  /** When it may use the account no longer unless it renews that, as it does each second. */
  readonly until: number;
}

/** JSON of an account; without secrets. Times are Unix milliseconds. */
export interface AccountView extends AccountSessions {
  readonly id: string;
  readonly name: string;
  readonly source: AccountSource;
  readonly state: AccountState;
  /** Only in the list, and only where several gateways share a database that answers. */
  readonly holders?: readonly HolderView[];
  /** The running cooldown, also on an account that is disabled or needs a login. */
  readonly cooldown?: CooldownView;
  readonly loginFailure?: LoginFailure;
  /** Whether an operator logs it in by hand now. */
  readonly isHandedOver?: true;
  /** When the account is logged in again by itself. */
  readonly nextLoginAt?: number;
  readonly requests: number;
  readonly failures: number;
  readonly rateLimits: number;
  readonly createdAt: number;
  readonly lastUsedAt?: number;
  readonly lastLoginAt?: number;
  /** Whether the upstream has not shown yet that it accepts the account: of a key its first answer does, not its login. */
  readonly isUntested?: true;
  /** Names of the stored credentials, e.g. `user` and `password`. */
  readonly credentialNames: readonly string[];
}

interface CooldownView {
  readonly until: number;
  readonly remainingMs: number;
  readonly cause: string;
  /** The upstream's name of the model that alone is limited; missing if all are. */
  readonly model?: string;
}

const NO_SESSIONS: AccountSessions = { sessions: 0, idle: 0, leases: 0, opening: 0 };

/**
 * @param own id of this gateway
 * @param wallNow Unix milliseconds
 */
export function toHolderView(
  { endsInMs, ...holder }: Holder,
  own: string | undefined,
  wallNow: number,
): HolderView {
  return { ...holder, isThisNode: holder.nodeId === own, until: Math.round(wallNow + endsInMs) };
}

/**
 * @param now monotonic milliseconds
 * @param wallNow Unix milliseconds at the same moment
 */
export function toAccountView(
  account: Account,
  sessions: AccountSessions | undefined,
  now: number,
  wallNow: number,
): AccountView {
  const { id, name, source, loginFailure, requests, failures, rateLimits, cooldown } = account;
  return {
    id,
    name,
    source,
    state: account.stateAt(now),
    cooldown: toCooldownView(cooldown, now, wallNow),
    loginFailure,
    isHandedOver: account.isHandedOver || undefined,
    nextLoginAt: account.nextLoginAt,
    ...(sessions ?? NO_SESSIONS),
    requests,
    failures,
    rateLimits,
    createdAt: account.createdAt,
    lastUsedAt: account.lastUsedAt,
    lastLoginAt: account.lastLoginAt,
    isUntested: account.isUntested || undefined,
    credentialNames: Object.keys(account.credentials),
  };
}

function toCooldownView(
  cooldown: Account['cooldown'],
  now: number,
  wallNow: number,
): CooldownView | undefined {
  const remainingMs = Math.ceil(cooldown.remainingMs(now));
  const { cause, model } = cooldown;
  return remainingMs > 0 ? { until: wallNow + remainingMs, remainingMs, cause, model } : undefined;
}
