import { Logger } from '@nestjs/common';
import { TooManyRequestsError } from '../../common/errors/gateway.errors.js';
import { digestOf } from '../../common/http/access/bearer.js';
import { type CallerKey, type KeyRole } from '../../common/http/access/caller-key.js';
import { type PgDatabase } from '../../common/store/pg-database.js';
import {
  MAX_TICKETS,
  MAX_TICKETS_OF_KEY,
  StreamTickets,
  TICKET_MS,
  type TicketHolder,
} from './stream-tickets.js';
import { isTicketText, newTicketText } from './ticket-text.js';

/** Tickets that are written or read at once; anybody may ask for them. */
const MAX_RUNNING = 50;

const EVICT = `
  DELETE FROM stream_tickets WHERE expires_at < clock_timestamp() OR digest IN (
    SELECT digest FROM stream_tickets ORDER BY expires_at DESC OFFSET ${MAX_TICKETS - 1}) OR digest IN (
    SELECT digest FROM stream_tickets WHERE key_name IS NOT DISTINCT FROM $1
    ORDER BY expires_at DESC OFFSET ${MAX_TICKETS_OF_KEY - 1})`;
const ISSUE = `
  INSERT INTO stream_tickets (digest, expires_at, key_name, key_role, key_digest)
  VALUES ($1, clock_timestamp() + interval '${TICKET_MS} milliseconds', $2, $3, $4)`;
const REDEEM = `
  DELETE FROM stream_tickets WHERE digest = $1
  RETURNING expires_at > clock_timestamp() AS "isValid", key_name AS name, key_role AS role, key_digest AS digest`;

interface Row {
  readonly isValid: boolean;
  readonly name: string | null;
  readonly role: KeyRole;
  readonly digest: string;
}

/** Tickets that any of several gateways accepts, whichever issued them, and only one of them, once. */
export class PgTickets extends StreamTickets {
  private readonly logger = new Logger('RequestLog');
  private running = 0;

  constructor(private readonly database: PgDatabase) {
    super();
  }

  /** @throws TooManyRequestsError if too many wait */
  async issue(key: CallerKey | undefined): Promise<string> {
    const text = newTicketText();
    const { name = null, role = null, digest = null } = key ?? {};
    await this.bounded(async () => {
      await this.database.query(EVICT, [name]);
      await this.database.query(ISSUE, [digestOf(text), name, role, digest]);
    });
    return text;
  }

  /**
   * None is valid while the database is away.
   * @throws TooManyRequestsError if too many wait
   */
  async redeem(text: string): Promise<TicketHolder | undefined> {
    return isTicketText(text) ? this.bounded(() => this.take(text)) : undefined;
  }

  private async take(text: string): Promise<TicketHolder | undefined> {
    try {
      const [row] = await this.database.query<Row>(REDEEM, [digestOf(text)]);
      return row?.isValid ? { key: keyOf(row) } : undefined;
    } catch (error) {
      this.logger.warn(error, 'a ticket for a live view cannot be read, and is refused');
      return undefined;
    }
  }

  private async bounded<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= MAX_RUNNING) {
      throw new TooManyRequestsError('Too many tickets are being asked for at this moment.', 1000, {
        reason: 'gateway_busy',
      });
    }
    this.running += 1;
    try {
      return await work();
    } finally {
      this.running -= 1;
    }
  }
}

function keyOf({ name, role, digest }: Row): CallerKey | undefined {
  return name === null ? undefined : { name, role, digest };
}
