/** Header fields by name. */
export type HeaderFields = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** The beginning of an exchange. The log redacts it, so callers pass it unredacted. */
export interface NetworkStart {
  /** Id of the request that it serves; undefined for logins, warm-up and clean-up. */
  readonly requestId?: string | undefined;
  /** Name of the account. */
  readonly account?: string | undefined;
  readonly method: string;
  readonly url: string;
  readonly headers?: HeaderFields;
  /** At least the first `bodyLimit` characters of the body; undefined if there is none, or it must not be kept. */
  readonly body?: string | undefined;
  /** Whether the gateway itself made the body: then only `secrets` are redacted in it. Default: false. */
  readonly isOwnBody?: boolean;
  /** Size of the body in bytes. */
  readonly bytes?: number | undefined;
  /** Values to redact wherever they occur, e.g. the account's password. */
  readonly secrets?: readonly string[];
}

/** Error of an exchange that was cancelled because its caller left. */
export const CANCELLED = 'cancelled';

/** One exchange under way. Calls after `end` are ignored. */
export interface NetworkExchange {
  /** Replaces the body given at the beginning by the one that was really sent. */
  sent(body: string): void;
  /** Status and headers of the response. */
  head(status: number, headers: HeaderFields): void;
  /**
   * A piece of the response's body.
   * @param bytes size on the wire
   * @param text decoded text; empty if it is not kept
   */
  data(bytes: number, text: string): void;
  /** @param error reason of a failure; undefined for success */
  end(error?: string): void;
}

/** Records the exchanges of drivers with their upstreams, for operators to inspect. */
export abstract class NetworkLog {
  /** Characters of each body that are kept at present; 0 for none. */
  abstract readonly bodyLimit: number;

  abstract begin(start: NetworkStart): NetworkExchange;
}

/** Ignores everything. */
export const NO_EXCHANGE: NetworkExchange = {
  sent: () => undefined,
  head: () => undefined,
  data: () => undefined,
  end: () => undefined,
};

/** Records nothing; for drivers without a gateway, in tools and tests. */
export class NoNetworkLog extends NetworkLog {
  override readonly bodyLimit = 0;

  override begin(): NetworkExchange {
    return NO_EXCHANGE;
  }
}
