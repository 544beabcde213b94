import { Cooldown } from './cooldown.js';

export type Credentials = Readonly<Record<string, string>>;

/** Where an account comes from; those of the configuration come and go with it. */
export type AccountSource = 'configuration' | 'operator';

/** Why an account must be logged in by hand, as the operator sees it. The screenshot stays in the store. */
export interface LoginFailure {
  readonly reason: string;
  readonly message: string;
  /** Wall-clock milliseconds. */
  readonly at: number;
  /** Without query and fragment, which carry tokens on many sites. */
  readonly url?: string;
  readonly title?: string;
  readonly hasScreenshot: boolean;
}

export type AccountState = 'ready' | 'cooldown' | 'login_required' | 'disabled';

/** One login (or API key) at the provider, as the gateway knows it while it runs. */
export class Account {
  isEnabled = true;
  loginFailure: LoginFailure | undefined;
  /** Grows when it must log in anew, e.g. with other credentials. */
  login = 0;
  /** How many times its login ran out since the last answer. */
  lostLogins = 0;
  readonly cooldown = new Cooldown();
  /** Prompts sent. */
  requests = 0;
  /** Prompts that ended in an upstream failure other than a rate limit. */
  failures = 0;
  rateLimits = 0;
  /** Wall-clock milliseconds. */
  lastUsedAt: number | undefined;
  lastLoginAt: number | undefined;

  constructor(
    readonly id: string,
    readonly name: string,
    readonly source: AccountSource,
    public credentials: Credentials,
    readonly createdAt: number,
  ) {}

  /** Whether sessions may be opened and leases given, apart from a cooldown. */
  get isUsable(): boolean {
    return this.isEnabled && this.loginFailure === undefined;
  }

  /** What the operator sees first: the one thing that keeps the account from working. */
  stateAt(now: number): AccountState {
    if (!this.isEnabled) {
      return 'disabled';
    }
    if (this.loginFailure) {
      return 'login_required';
    }
    return this.cooldown.isCooling(now) ? 'cooldown' : 'ready';
  }
}

/** Origin and path of a URL that is kept as evidence; the rest may carry a token. Empty for an invalid URL. */
export function originAndPath(url: string): string {
  if (!URL.canParse(url)) {
    return '';
  }
  const { protocol, host, pathname } = new URL(url);
  return host === '' ? protocol : `${protocol}//${host}${pathname}`;
}
