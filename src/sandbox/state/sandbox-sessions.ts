import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A login of an account. */
export interface SandboxSession {
  readonly account: string;
  readonly id: string;
}

const COOKIE = 'sandbox_session';
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

  constructor(private readonly secret: string) {}

  /** The `Set-Cookie` value of a new login. */
  issue(account: string): string {
    const id = randomBytes(12).toString('base64url');
    const body = [Buffer.from(account).toString('base64url'), this.generation(account), id].join('.');
    return `${COOKIE}=${body}.${this.sign(body)}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${MAX_AGE_SECONDS}`;
  }

  /** The login of a `Cookie` header; undefined without a valid one. */
  read(cookieHeader: string | undefined): SandboxSession | undefined {
    const cookie = cookieHeader?.split('; ').find((part) => part.startsWith(`${COOKIE}=`));
    const value = cookie?.slice(COOKIE.length + 1) ?? '';
    const dot = value.lastIndexOf('.');
    const body = value.slice(0, Math.max(dot, 0));
    const [name, generation, id] = body.split('.');
    if (!name || !id || !isSameSecret(value.slice(dot + 1), this.sign(body))) {
      return undefined;
    }
    const account = Buffer.from(name, 'base64url').toString();
    const isOver = this.revoked.has(id) || generation !== String(this.generation(account));
    return isOver ? undefined : { account, id };
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
  static expired(): string {
    return `${COOKIE}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`;
  }

  private generation(account: string): number {
    return this.generations.get(account) ?? 0;
  }

  private sign(text: string): string {
    return createHmac('sha256', this.secret).update(text).digest('base64url');
  }
}

/** Compares in constant time, so that the time does not tell how much is right. */
export function isSameSecret(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
