import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export interface SandboxSession {
  readonly account: string;
  readonly id: string;
}

const COOKIE = 'sandbox_session';
const MAX_AGE_SECONDS = 30 * 24 * 60 * 60;
/** Logouts remembered; older ones are forgotten, so that the list stays small. */
const MOST_REVOKED = 10_000;

/**
 * Logins of the site, as signed cookies: nothing is kept for a login, so that one survives a restart of the site
 * with the same secret. Only revoked ones are remembered.
 */
export class SandboxSessions {
  private readonly revoked = new Set<string>();
  /** Counts up when all logins of an account end at once. */
  private readonly generations = new Map<string, number>();

  constructor(private readonly secret: string) {}

  /** The `Set-Cookie` value of a new login. */
  issue(account: string): string {
    const id = randomBytes(12).toString('base64url');
    const body = [Buffer.from(account).toString('base64url'), this.generation(account), id].join('.');
    return `${COOKIE}=${body}.${this.sign(body)}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${MAX_AGE_SECONDS}`;
  }

  /** The login that a `Cookie` header carries, if it is a valid one. */
  read(cookieHeader: string | undefined): SandboxSession | undefined {
    const cookie = cookieHeader?.split('; ').find((part) => part.startsWith(`${COOKIE}=`));
    const value = cookie?.slice(COOKIE.length + 1) ?? '';
    const dot = value.lastIndexOf('.');
    const body = value.slice(0, Math.max(dot, 0));
    const [name, generation, id] = body.split('.');
    if (!name || !id || !isSame(value.slice(dot + 1), this.sign(body))) {
      return undefined;
    }
    const account = Buffer.from(name, 'base64url').toString();
    const isOver = this.revoked.has(id) || generation !== String(this.generation(account));
    return isOver ? undefined : { account, id };
  }

  /** The token that the page of a login sends back with every request. */
  csrfToken(session: SandboxSession): string {
    return this.sign(`csrf:${session.id}`);
  }

  isCsrfToken(session: SandboxSession, token: unknown): boolean {
    return typeof token === 'string' && isSame(token, this.csrfToken(session));
  }

  revoke({ id }: SandboxSession): void {
    this.revoked.add(id);
    for (const oldest of this.revoked) {
      if (this.revoked.size <= MOST_REVOKED) {
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

/** Compares in a time that does not tell how much is right. */
export function isSame(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
