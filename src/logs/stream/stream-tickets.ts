import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';

/** Lifetime of a ticket. */
export const TICKET_MS = 30_000;
/** Bound on unused tickets; above it the oldest are evicted. */
const MAX_TICKETS = 1000;

/** Single-use tickets in place of the key: a browser's EventSource cannot set headers, and a URL must not hold the key. */
@Injectable()
export class StreamTickets {
  /** Expiry by ticket, in monotonic milliseconds; in the order of expiry. */
  private readonly tickets = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** A new ticket, valid for `TICKET_MS`. */
  issue(): string {
    this.evict();
    const ticket = `ticket_${randomBytes(32).toString('base64url')}`;
    this.tickets.set(ticket, this.clock.monotonic() + TICKET_MS);
    return ticket;
  }

  /** Whether the ticket is valid. It is used up by the call. */
  redeem(ticket: string): boolean {
    const expiresAt = this.tickets.get(ticket);
    return this.tickets.delete(ticket) && expiresAt !== undefined && this.clock.monotonic() < expiresAt;
  }

  private evict(): void {
    const now = this.clock.monotonic();
    for (const [ticket, expiresAt] of this.tickets) {
      if (expiresAt > now && this.tickets.size < MAX_TICKETS) {
        return;
      }
      this.tickets.delete(ticket);
    }
  }
}
