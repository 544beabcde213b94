import { type Tenure } from '../../cluster/tenures.js';
import { FailureBackoff } from '../../common/time/failure-backoff.js';
import { Cooldown } from './cooldown.js';
import { ModelRefusals } from './model-refusals.js';

/** Shorter than requests wait for a session by default, so that none is refused for the rests after an outage of all. */
const LONGEST_REST_MS = 15_000;

/** Names and values that the provider's login needs, e.g. `user` and `password`, or `key`. */
export type Credentials = Readonly<Record<string, string>>;

/** Origin of an account; those of the configuration come and go with it. */
export type AccountSource = 'configuration' | 'operator';

/** Why the operator must log an account in, as the dashboard shows it. The screenshot stays in the store. */
export interface LoginFailure {
  /** Of the `LoginRequiredError`, e.g. `login_wall`. */
  readonly fault: string;
  /** Explanation by the driver. */
  readonly message: string;
  /** Unix time in milliseconds. */
  readonly at: number;
  /** Address of the page without query and fragment, which carry tokens on many sites; missing without a page. */
  readonly url?: string;
  /** Title of the page, redacted, at most 200 characters; missing without a page. */
  readonly title?: string;
  readonly hasScreenshot: boolean;
}

/** Why this gateway may not use an account. `elsewhere`: another one uses it. */
export type OutOfUse = 'disabled' | 'login_required' | 'elsewhere';

export type AccountState = 'ready' | 'cooldown' | OutOfUse;

/** Counters since an account was added. */
export interface Counts {
  /** Prompts sent. */
  readonly requests: number;
  /** Prompts that ended in an upstream failure other than a rate limit. */
  readonly failures: number;
  /** Rate limits by the upstream, of prompts and of logins. */
  readonly rateLimits: number;
}

/** One login (or API key) at the provider, with its state in this process. */
export class Account {
  isEnabled = true;
  /** Set while the operator must log the account in. */
  loginFailure: LoginFailure | undefined;
  /** Set while a person logs the account in by hand. */
  isHandedOver = false;
  /** Number of the present login; grows when the account must log in anew, e.g. with other credentials. */
  login = 0;
  /** Requests, or digests of conversations, that lost a login since the last answer; one that loses several counts once. */
  readonly loginsLostBy = new Set<symbol | string>();
  /** Logins tried by `LoginHealer` since the last answer. */
  automaticLogins = 0;
  /** Unix time in milliseconds of the next login by `LoginHealer`. */
  nextLoginAt: number | undefined;
  readonly cooldown = new Cooldown();
  /** Other accounts are asked for these models instead. */
  readonly refusals = new ModelRefusals();
  /** Whether the upstream has accepted the present login; undefined until this process knows. */
  isProven: boolean | undefined;
  /** Runs after prompts that failed since the last answer: the other accounts are preferred meanwhile. */
  readonly rest = new FailureBackoff(LONGEST_REST_MS);
  /** Counts as far as this process knows them, see `Counts`. */
  requests = 0;
  failures = 0;
  rateLimits = 0;
  /** The part of the counts that this process has counted. */
  readonly ownCounts = { requests: 0, failures: 0, rateLimits: 0 };
  /** The part of the counts that the store has not been told yet. */
  readonly unstored = { requests: 0, failures: 0, rateLimits: 0 };
  /** Unix time of the last prompt in milliseconds. */
  lastUsedAt: number | undefined;
  /** Unix time of the last opened session in milliseconds. */
  lastLoginAt: number | undefined;

  /**
   * @param createdAt Unix time in milliseconds
   * @param tenure whether this node may use it
   */
  constructor(
    readonly id: string,
    readonly name: string,
    readonly source: AccountSource,
    public credentials: Credentials,
    readonly createdAt: number,
    readonly tenure: Tenure,
  ) {}

  /** Why no session may be opened or leased, the obstacle that lasts longest first; a cooldown is none. */
  get outOfUse(): OutOfUse | undefined {
    if (!this.isEnabled) {
      return 'disabled';
    }
    if (this.isHandedOver || this.loginFailure) {
      return 'login_required';
    }
    return this.tenure.isHeld ? undefined : 'elsewhere';
  }

  /** Whether sessions may be opened and leased, apart from a cooldown. */
  get isUsable(): boolean {
    return this.outOfUse === undefined;
  }

  /** Whether nothing has come of the present login yet, as far as this process knows. */
  get isUntested(): boolean {
    return !(this.isProven ?? this.lastUsedAt !== undefined);
  }

  /** Whether `LoginHealer` has logged it in again, and nothing has come of that yet. */
  get isBeingHealed(): boolean {
    return this.automaticLogins > 0 && this.isUntested;
  }

  get needsLogin(): boolean {
    return this.outOfUse === 'login_required';
  }

  /** Whether this node counts and reports it: exactly one node does. */
  get isReportedHere(): boolean {
    return this.isEnabled ? this.tenure.mayProbe : this.tenure.reportsUnheld;
  }

  /**
   * The state for the operator, or for requests for a model.
   * @param now monotonic milliseconds
   */
  stateAt(now: number, model?: string): AccountState {
    return this.outOfUse ?? (this.cooldown.isCooling(now, model) ? 'cooldown' : 'ready');
  }

  count(what: keyof Counts): void {
    this[what] += 1;
    this.ownCounts[what] += 1;
    this.unstored[what] += 1;
  }

  /** The store has added a part of the counts. */
  countsStored({ requests, failures, rateLimits }: Counts): void {
    this.unstored.requests -= requests;
    this.unstored.failures -= failures;
    this.unstored.rateLimits -= rateLimits;
  }

  /** Ends the present login and its failures; the next session logs in anew. */
  resetLogin(): void {
    this.loginFailure = undefined;
    this.loginsLostBy.clear();
    this.rest.clear();
    this.refusals.clear();
    this.isProven = false;
    this.login += 1;
  }
}
