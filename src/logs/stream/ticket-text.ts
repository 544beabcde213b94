import { randomBytes } from 'node:crypto';

/** A ticket that nobody can guess: 256 bits of randomness. */
export function newTicketText(): string {
  return `ticket_${randomBytes(32).toString('base64url')}`;
}
