import { type CallerKey } from '../../common/http/access/caller-key.js';
import { type Clock } from '../../common/time/clock.js';
import {
  MAX_TICKETS,
  MAX_TICKETS_OF_KEY,
  StreamTickets,
  TICKET_MS,
  type TicketHolder,
} from './stream-tickets.js';
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
    this.evict(key);
    const text = newTicketText();
    this.tickets.set(text, { expiresAt: this.clock.monotonic() + TICKET_MS, key });
    return Promise.resolve(text);
  }

  redeem(text: string): Promise<TicketHolder | undefined> {
    const ticket = this.tickets.get(text);
    this.tickets.delete(text);
    return Promise.resolve(ticket && this.clock.monotonic() < ticket.expiresAt ? ticket : undefined);
  }

  /** Makes room for another ticket of a key. */
  private evict(key: CallerKey | undefined): void {
    const now = this.clock.monotonic();
    this.keepNewest(0, ({ expiresAt }) => expiresAt <= now);
    this.keepNewest(MAX_TICKETS_OF_KEY - 1, (ticket) => ticket.key?.name === key?.name);
    this.keepNewest(MAX_TICKETS - 1, () => true);
  }

  private keepNewest(most: number, isMeant: (ticket: Ticket) => boolean): void {
    const texts = [...this.tickets].filter(([, ticket]) => isMeant(ticket)).map(([text]) => text);
    for (const text of texts.slice(0, Math.max(0, texts.length - most))) {
      this.tickets.delete(text);
    }
  }
}
