import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';

/** How long a ticket is good, in milliseconds. */
export const TICKET_MS = 30_000;
/** Most tickets that wait to be used; beyond it the oldest go. */
const MAX_TICKETS = 1000;

/** Tickets for one use each, so that a browser's EventSource, which cannot set headers, needs no key in a URL. */
@Injectable()
export class StreamTickets {
  /** When each ends, of `Clock.monotonic`; in the order of their ends. */
  private readonly tickets = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  issue(): string {
    this.forgetOld();
    const ticket = `ticket_${randomBytes(32).toString('base64url')}`;
    this.tickets.set(ticket, this.clock.monotonic() + TICKET_MS);
    return ticket;
  }

  /** Whether the ticket is good; it is not any more afterwards. */
  redeem(ticket: string): boolean {
    const end = this.tickets.get(ticket);
    return this.tickets.delete(ticket) && end !== undefined && this.clock.monotonic() < end;
  }

  private forgetOld(): void {
    const now = this.clock.monotonic();
    for (const [ticket, end] of this.tickets) {
      if (end > now && this.tickets.size < MAX_TICKETS) {
        return;
      }
      this.tickets.delete(ticket);
    }
  }
}
