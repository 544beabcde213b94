import { type CallerKey } from '../../common/http/access/caller-key.js';

/** Lifetime of a ticket. */
export const TICKET_MS = 30_000;
/** Bound on unused tickets; above it the oldest are evicted. */
export const MAX_TICKETS = 1000;
/** The same for those of one key, which must not evict all others. */
export const MAX_TICKETS_OF_KEY = 100;

/** Rights of a ticket: those of the key that asked for it; undefined while the gateway had no key. */
export interface TicketHolder {
  readonly key: CallerKey | undefined;
}

/**
 * Port to single-use tickets in place of the key: a browser's EventSource cannot set headers, and a URL must not hold the
 * key.
 */
export abstract class StreamTickets {
  /** A new ticket, valid for `TICKET_MS` and as much as the key that asked for it. @throws TooManyRequestsError */
  abstract issue(key: CallerKey | undefined): Promise<string>;

  /** Whose the ticket is, if it is valid. It is used up by the call. @throws TooManyRequestsError */
  abstract redeem(text: string): Promise<TicketHolder | undefined>;
}
