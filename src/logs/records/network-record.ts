/**
 * One exchange with the upstream, as seen by the driver. Built from these named fields only; URL, headers and error are
 * redacted before they get here.
 */
export interface NetworkRecord {
  readonly kind: 'network';
  readonly id: string;
  /** Id of the request it served; undefined for logins, warm-up and clean-up. */
  readonly requestId?: string;
  /** Name of the account. */
  readonly account?: string;
  /** As in `RequestLogEntry`. */
  readonly node?: string;
  /** Unix time in milliseconds. */
  readonly startedAt: number;
  readonly method: string;
  readonly url: string;
  /** HTTP status; undefined until, or without, a response. */
  readonly status?: number;
  /** Milliseconds from the start to the response headers. */
  readonly firstByteMs?: number;
  /** Milliseconds from the start to the end; undefined while it is running. */
  readonly totalMs?: number;
  /** Size of the request body. */
  readonly requestBytes?: number;
  /** Size of the response body as received. */
  readonly responseBytes?: number;
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** First 64 KiB, first 500 characters, or absent, by `LOG_CONTENT`. */
  readonly requestBody?: string;
  /** Same limits as `requestBody`. */
  readonly responseBody?: string;
  /** Reason of a failed exchange; `cancelled` if the gateway gave it up. */
  readonly error?: string;
}
