import { type IncomingHttpHeaders } from 'node:http';
import { type SandboxAccounts } from '../state/sandbox-accounts.js';
import { type PromptRecord } from '../state/sandbox-records.js';
import { type SandboxSession, type SandboxSessions } from '../state/sandbox-sessions.js';
import { type SandboxExchange } from './sandbox-exchange.js';
import { type SandboxExchanges } from './sandbox-exchanges.js';
import { type SandboxPages } from './sandbox-pages.js';
import { challengeResponse, type FixedResponse, jsonError, unauthenticated } from './sandbox-refusal.js';
import { readChatPrompt } from './sandbox-requests.js';

/** Authentication and validation of prompts, shared by all transports. */
export class SandboxIntake {
  constructor(
    private readonly accounts: SandboxAccounts,
    private readonly sessions: SandboxSessions,
    private readonly exchanges: SandboxExchanges,
    private readonly pages: SandboxPages,
    private readonly models: readonly string[],
  ) {}

  /** Session of a request's cookie; undefined without a valid one. */
  session(headers: IncomingHttpHeaders): SandboxSession | undefined {
    const session = this.sessions.read(headers.cookie);
    return session && this.accounts.has(session.account) ? session : undefined;
  }

  /** Accepts a prompt, or returns the response that refuses it. Throws a `BadRequestError` for a malformed one. */
  prompt(
    headers: IncomingHttpHeaders,
    csrfToken: unknown,
    body: Record<string, unknown>,
    transport: PromptRecord['transport'],
  ): SandboxExchange | FixedResponse {
    const session = this.session(headers);
    if (!session) {
      return unauthenticated();
    }
    if (this.accounts.isBlocked(session.account)) {
      return challengeResponse(this.pages);
    }
    if (!this.sessions.isCsrfToken(session, csrfToken)) {
      return jsonError(403, 'csrf', 'The request does not come from the chat page.');
    }
    return this.exchanges.accept(readChatPrompt(body, this.models), session, transport, headers);
  }

  /** Ends running answers of the session's account. Returns false without a valid session and CSRF token. */
  stop(headers: IncomingHttpHeaders, csrfToken: unknown, body: Record<string, unknown>): boolean {
    const session = this.session(headers);
    if (!session || !this.sessions.isCsrfToken(session, csrfToken)) {
      return false;
    }
    this.exchanges.stop(session.account, body);
    return true;
  }
}
