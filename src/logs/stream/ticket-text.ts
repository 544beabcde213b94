import { randomBytes } from 'node:crypto';

/** A ticket that nobody can guess: 256 bits of randomness. */
export function newTicketText(): string {
  return `ticket_${randomBytes(32).toString('base64url')}`;
}

/** Whether a text has the form of a ticket. */
export function isTicketText(text: string): boolean {
  return /^ticket_[\w-]{43}$/.test(text);
}
