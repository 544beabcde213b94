/**
 * One exchange with the upstream, as the driver saw it. Built from these fields only; headers are redacted where they
 * are taken, and a query that holds a secret never gets here.
 */
export interface NetworkRecord {
  readonly kind: 'network';
  readonly id: string;
  /** The request it served; undefined for logins and clean-up. */
  readonly requestId?: string;
  /** Name of the account. */
  readonly account?: string;
  /** Unix time in milliseconds. */
  readonly startedAt: number;
  readonly method: string;
  readonly url: string;
  /** Undefined while it is under way, and if no response came. */
  readonly status?: number;
  /** Milliseconds from the start to the response's headers, and to its end. */
  readonly firstByteMs?: number;
  readonly totalMs?: number;
  readonly requestBytes?: number;
  readonly responseBytes?: number;
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** Cut at 64 KiB; by `LOG_CONTENT` absent, or shortened further. */
  readonly requestBody?: string;
  readonly responseBody?: string;
  /** Why it failed, if it did. */
  readonly error?: string;
}
