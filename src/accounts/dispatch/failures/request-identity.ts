import { hash } from 'node:crypto';
import { type Prompt } from '../../../upstream/upstream-driver.js';

/** Tells requests, and conversations, apart where their failures are counted. */
export class RequestIdentity {
  readonly request = Symbol('request');
  private digest: string | undefined;

  constructor(private readonly prompt: Pick<Prompt, 'messages'>) {}

  /**
   * Digest of what the user said first, which stays the same when a client tries again or goes on. Not of what the system
   * says: some clients put the time there. The log knows conversations by their first answer, too, which failures lack: see
   * `RequestLogEntry.conversation`.
   */
  get conversation(): string {
    const { messages } = this.prompt;
    const said = messages.find(({ role }: { readonly role?: unknown }) => role === 'user') ?? messages;
    return (this.digest ??= hash('sha256', JSON.stringify(said), 'hex'));
  }
}
