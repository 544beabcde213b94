import { type CallerKey } from '../../common/http/access/caller-key.js';
import { type Clock } from '../../common/time/clock.js';
import { MAX_TICKETS, StreamTickets, TICKET_MS, type TicketHolder } from './stream-tickets.js';
import { newTicketText } from './ticket-text.js';

interface Ticket extends TicketHolder {
  /** Monotonic milliseconds. */
  readonly expiresAt: number;
}

/** The tickets of one gateway, in its memory. */
export class LocalTickets extends StreamTickets {
  /** In the order of expiry. */
  private readonly tickets = new Map<string, Ticket>();

  constructor(private readonly clock: Clock) {
    super();
  }

  issue(key: CallerKey | undefined): Promise<string> {
    this.evict();
    const text = newTicketText();
    this.tickets.set(text, { expiresAt: this.clock.monotonic() + TICKET_MS, key });
    return Promise.resolve(text);
  }

  redeem(text: string): Promise<TicketHolder | undefined> {
    const ticket = this.tickets.get(text);
    this.tickets.delete(text);
    return Promise.resolve(ticket && this.clock.monotonic() < ticket.expiresAt ? ticket : undefined);
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
