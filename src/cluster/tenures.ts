import { type Observable } from 'rxjs';

/** The right of this node to use one account, or some of its shares. Its answers change with time. */
export interface Tenure {
  /** Whether prompts may be sent with the account now. */
  readonly isHeld: boolean;
  /** Whether it may become this node's within seconds: others answer, and may give it up. */
  readonly mayCome: boolean;
  /** Whether this node may send the probe after a cooldown: of several nodes with shares of one account, one does. */
  readonly mayProbe: boolean;
  /** Whether this node is the one that tells of accounts that nobody holds because they are switched off. */
  readonly reportsUnheld: boolean;
  /** Newest term of an account that is used by one node at a time; 0 where several nodes use it. Fences writes. */
  readonly writeTerm: number;
  /**
   * Fencing token for the upstream, `<share>/<term>`, the shares by turns; undefined where nobody else exists.
   * To be given to `arrived` later.
   */
  nextFence(): string | undefined;
  /** Whether a fence from `nextFence` still holds. */
  honours(fence: string | undefined): boolean;
  /** The prompt of a fence has reached the upstream, or will not be sent: before that, no other node gets the share. */
  arrived(fence: string | undefined): void;
  /** This node's part of a limit that counts for the account as a whole; the parts of all nodes add up to the limit. */
  partOf(limit: number): number;
}

/** The node may use the account from now on, or no longer start anything with it, or has another part of it. */
export interface TenureChange {
  readonly accountId: string;
  readonly kind: 'granted' | 'ended' | 'resized';
}

/** Demand of requests that wait for a session, beyond the shares of this node. */
export interface TenureDemand {
  /** Shares of accounts. */
  readonly shares: number;
  /** Ids of accounts of which this node holds a share, but not the one that may send the probe for which they wait. */
  readonly probes: readonly string[];
}

/** The accounts' side, as the client of the tenures. */
export interface TenureClient {
  /** Key of the accounts that this node serves. */
  readonly provider: string;
  /** Reads all accounts anew; called before a grant counts, and when accounts changed. */
  refresh(): Promise<void>;
  /**
   * Whether nothing of the account is open any more beyond this node's part, and no probe is under way: only then may another
   * node have the rest.
   */
  isWithinPart(accountId: string): boolean;
  /** Sessions of the account that requests use, or wait for; Infinity if that is unknown. */
  sessionsNeeded(accountId: string): number;
  /** Whether a login is under way: the next node could not use what an aborted one has left at the site. */
  isLoggingIn(accountId: string): boolean;
  /**
   * Whether the account could be of use to another node: not while it needs a login, or its probe is under way. Whether a
   * limit keeps it from serving the requests there is for that node to say, as it may be of one model.
   */
  canServe(accountId: string): boolean;
  /** Most sessions of an account, over all of its shares. */
  readonly sessionLimit: number;
  readonly demand: TenureDemand;
  /** Ids of accounts, whoever holds them, that would serve none of the requests that wait: at a limit, or without a login. */
  readonly unfit: readonly string[];
  /** The database has gone or come back: requests that wait for more accounts must know. */
  outlookChanged(): void;
}

/**
 * Port to who may use which account: a _tenure_ is the right of one node to use one share of an account until a moment,
 * its _term_ the number that grows with each holder. Nothing here waits: what is known is known in this process.
 */
export abstract class Tenures {
  /** Grants and ends. An end by the clock is announced when it comes; `Tenure.isHeld` is right even before. */
  abstract readonly changes$: Observable<TenureChange>;

  /**
   * The tenure of an account, which need not be held.
   * @param shares into how many the account is divided
   */
  abstract of(accountId: string, shares: number): Tenure;

  /** Gateways that take accounts, this one included: at least 1. */
  abstract readonly nodes: number;

  /** Whether the latest try to reach the shared database failed: until it is back, nothing is renewed or taken. */
  abstract readonly isAway: boolean;

  /** Sets the client; called once, before the gateway listens. */
  abstract serve(client: TenureClient): void;

  /**
   * Asks for an account by name, whoever holds it: it comes once it is at rest there, and stays here.
   * @returns function that gives it up to any node that asks for it
   */
  abstract want(accountId: string): () => void;

  /** The client's answers have changed. Cheap: called after each request, too. */
  abstract look(): void;
}
