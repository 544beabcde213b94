import { randomBytes, timingSafeEqual } from 'node:crypto';

/** What a cookie vouches for. */
export interface CookieContent {
  readonly account: string;
  /** What the account may do with it, as it was issued. */
  readonly mark: string;
  readonly id: string;
}

const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Lax';

/** A cookie that the site need not remember, since it is signed. */
export class SignedCookie {
  constructor(
    private readonly name: string,
    private readonly maxAgeSeconds: number,
    private readonly sign: (text: string) => string,
  ) {}

  /** The `Set-Cookie` value for an account. @param mark without a dot */
  issue(account: string, mark: string): string {
    const id = randomBytes(12).toString('base64url');
    const body = [Buffer.from(account).toString('base64url'), mark, id].join('.');
    return `${this.name}=${body}.${this.sign(body)}; ${ATTRIBUTES}; Max-Age=${this.maxAgeSeconds}`;
  }

  /** What the cookie says in a `Cookie` header; undefined without a genuine one. */
  read(header: string | undefined): CookieContent | undefined {
    const cookie = header?.split('; ').find((part) => part.startsWith(`${this.name}=`));
    const value = cookie?.slice(this.name.length + 1) ?? '';
    const dot = value.lastIndexOf('.');
    const body = value.slice(0, Math.max(dot, 0));
    const [account = '', mark = '', id = ''] = body.split('.');
    const isGenuine = id !== '' && isSameSecret(value.slice(dot + 1), this.sign(body));
    return isGenuine ? { account: Buffer.from(account, 'base64url').toString(), mark, id } : undefined;
  }

  /** The `Set-Cookie` value that removes it. */
  get expired(): string {
    return `${this.name}=; ${ATTRIBUTES}; Max-Age=0`;
  }
}

/** Compares in constant time, so that the time does not tell how much is right. */
export function isSameSecret(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
