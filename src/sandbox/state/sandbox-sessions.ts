import { createHmac } from 'node:crypto';
import { isSameSecret, SignedCookie } from './signed-cookie.js';

/** A login of an account. */
export interface SandboxSession {
  readonly account: string;
  readonly id: string;
}

const MAX_AGE_SECONDS = 30 * 24 * 60 * 60;
/** Upper bound of remembered revocations; the oldest are evicted above it. */
const MAX_REVOKED = 10_000;

/**
 * Logins as signed cookies. The site stores none of them, so they survive a restart with the same secret; only
 * revocations are kept, in memory.
 */
export class SandboxSessions {
  private readonly revoked = new Set<string>();
  /** Generation of each account's logins; raising it revokes all earlier ones. */
  private readonly generations = new Map<string, number>();
  private readonly cookie = new SignedCookie('sandbox_session', MAX_AGE_SECONDS, (text) => this.sign(text));

  constructor(private readonly secret: string) {}

  /** The `Set-Cookie` value of a new login. */
  issue(account: string): string {
    return this.cookie.issue(account, String(this.generation(account)));
  }

  /** The login of a `Cookie` header; undefined without a valid one. */
  read(cookieHeader: string | undefined): SandboxSession | undefined {
    const content = this.cookie.read(cookieHeader);
    const isOver =
      !content || this.revoked.has(content.id) || content.mark !== String(this.generation(content.account));
    return isOver ? undefined : { account: content.account, id: content.id };
  }

  /** CSRF token of a login's pages. */
  csrfToken(session: SandboxSession): string {
    return this.sign(`csrf:${session.id}`);
  }

  isCsrfToken(session: SandboxSession, token: unknown): boolean {
    return typeof token === 'string' && isSameSecret(token, this.csrfToken(session));
  }

  revoke({ id }: SandboxSession): void {
    this.revoked.add(id);
    for (const oldest of this.revoked) {
      if (this.revoked.size <= MAX_REVOKED) {
        break;
      }
      this.revoked.delete(oldest);
    }
  }

  revokeAll(account: string): void {
    this.generations.set(account, this.generation(account) + 1);
  }

  /** The `Set-Cookie` value that removes the cookie. */
  get expired(): string {
    return this.cookie.expired;
  }

  private generation(account: string): number {
    return this.generations.get(account) ?? 0;
  }

  private sign(text: string): string {
    return createHmac('sha256', this.secret).update(text).digest('base64url');
  }
}
