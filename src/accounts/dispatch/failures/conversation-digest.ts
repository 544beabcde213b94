import { hash } from 'node:crypto';
import { type Prompt } from '../../../upstream/upstream-driver.js';

/**
 * Tells conversations apart by what the user said first, which stays the same when a client tries again or goes on. Not by
 * what the system says: some clients put the time there.
 */
export function conversationDigest({ messages }: Pick<Prompt, 'messages'>): string {
  const said = messages.find(({ role }: { readonly role?: unknown }) => role === 'user') ?? messages;
  return hash('sha256', JSON.stringify(said), 'hex');
}
