/** Header fields by name. */
export type HeaderFields = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** What is known of an exchange when it begins. Whoever begins one redacts nothing: the log does. */
export interface NetworkStart {
  /** The request it serves; undefined for logins, warm-up and clean-up. */
  readonly requestId?: string | undefined;
  /** Name of the account. */
  readonly account?: string | undefined;
  readonly method: string;
  readonly url: string;
  readonly headers?: HeaderFields;
  /** At least the first `bodyLimit` characters; undefined if there is none, or it must not be kept. */
  readonly body?: string | undefined;
  /** Whether the gateway made the body: then only the given secrets are looked for in it. False by default. */
  readonly isOwnBody?: boolean;
  /** Size of the body. */
  readonly bytes?: number | undefined;
  /** Values that must not be shown wherever they turn up, e.g. the account's password. */
  readonly secrets?: readonly string[];
}

/** The error of an exchange that was given up because nobody waited for it any more. */
export const CANCELLED = 'cancelled';

/** One exchange under way. After `end` nothing counts any more. */
export interface NetworkExchange {
  /** What was really sent as the body, in place of what was known at the beginning. */
  sent(body: string): void;
  /** The response's head. */
  head(status: number, headers: HeaderFields): void;
  /** A piece of the response's body, as it came over the wire and as text; the text is empty if it is not kept. */
  data(bytes: number, text: string): void;
  /** @param error why it failed, if it did */
  end(error?: string): void;
}

/** Takes what drivers exchange with their upstreams, for people to look at. */
export abstract class NetworkLog {
  /** How many characters of each body are kept at present; 0 for none. */
  abstract readonly bodyLimit: number;

  abstract begin(start: NetworkStart): NetworkExchange;
}

export const NO_EXCHANGE: NetworkExchange = {
  sent: () => undefined,
  head: () => undefined,
  data: () => undefined,
  end: () => undefined,
};

/** Keeps nothing; for drivers that run by themselves, in tools and tests. */
export class NoNetworkLog extends NetworkLog {
  override readonly bodyLimit = 0;

  override begin(): NetworkExchange {
    return NO_EXCHANGE;
  }
}
