import { createHmac } from 'node:crypto';
import { type CookieContent, SignedCookie } from './signed-cookie.js';

/** Steps of a login after the password. */
export const LOGIN_STEPS = ['code', 'consent'] as const;
export type LoginStep = (typeof LOGIN_STEPS)[number];

/** A login that is not complete yet. */
export type PendingLogin = Pick<CookieContent, 'account' | 'id'>;

const MAX_AGE_SECONDS = 10 * 60;
const CODE_DIGITS = 6;

/** Logins between password and chat, as signed cookies: the site stores none of them. */
export class SandboxLoginSteps {
  private readonly cookie = new SignedCookie('sandbox_login', MAX_AGE_SECONDS, (text) => this.sign(text));

  constructor(private readonly secret: string) {}

  /** The `Set-Cookie` value of a login that has come to a step. */
  issue(account: string, step: LoginStep): string {
    return this.cookie.issue(account, step);
  }

  /** The login of a `Cookie` header, if it is at this step. */
  read(cookieHeader: string | undefined, step: LoginStep): PendingLogin | undefined {
    const content = this.cookie.read(cookieHeader);
    return content?.mark === step ? content : undefined;
  }

  /** The code that a mail would tell. */
  codeOf({ account, id }: PendingLogin): string {
    const digest = createHmac('sha256', this.secret).update(`code:${account}:${id}`).digest();
    return String(digest.readUInt32BE() % 10 ** CODE_DIGITS).padStart(CODE_DIGITS, '0');
  }

  private sign(text: string): string {
    return createHmac('sha256', this.secret).update(`login:${text}`).digest('base64url');
  }
}
