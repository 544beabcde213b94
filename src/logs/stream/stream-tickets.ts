import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type CallerKey } from '../../common/http/access/caller-key.js';
import { Clock } from '../../common/time/clock.js';

/** Lifetime of a ticket. */
export const TICKET_MS = 30_000;
/** Bound on unused tickets; above it the oldest are evicted. */
const MAX_TICKETS = 1000;

interface Ticket {
  /** Monotonic milliseconds. */
  readonly expiresAt: number;
  readonly key: CallerKey | undefined;
}

/** Single-use tickets in place of the key: a browser's EventSource cannot set headers, and a URL must not hold the key. */
@Injectable()
export class StreamTickets {
  /** In the order of expiry. */
  private readonly tickets = new Map<string, Ticket>();

  constructor(private readonly clock: Clock) {}

  /** A new ticket, valid for `TICKET_MS` and as much as the key that asked for it. */
  issue(key: CallerKey | undefined): string {
    this.evict();
    const ticket = `ticket_${randomBytes(32).toString('base64url')}`;
    this.tickets.set(ticket, { expiresAt: this.clock.monotonic() + TICKET_MS, key });
    return ticket;
  }

  /** The ticket, if it is valid. It is used up by the call. */
  redeem(text: string): Pick<Ticket, 'key'> | undefined {
    const ticket = this.tickets.get(text);
    this.tickets.delete(text);
    return ticket && this.clock.monotonic() < ticket.expiresAt ? ticket : undefined;
  }

  private evict(): void {
    const now = this.clock.monotonic();
    for (const [ticket, { expiresAt }] of this.tickets) {
      if (expiresAt > now && this.tickets.size < MAX_TICKETS) {
        return;
      }
      this.tickets.delete(ticket);
    }
  }
}
