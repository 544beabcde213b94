import { createHmac, randomBytes } from 'node:crypto';
import { isSameSecret } from './sandbox-sessions.js';

/** Steps of a login after the password. */
export const LOGIN_STEPS = ['code', 'consent'] as const;
export type LoginStep = (typeof LOGIN_STEPS)[number];

/** A login that is not complete yet. */
export interface PendingLogin {
  readonly account: string;
  readonly id: string;
}

const COOKIE = 'sandbox_login';
const MAX_AGE_SECONDS = 10 * 60;
const CODE_DIGITS = 6;

/** Logins between password and chat, as signed cookies: the site stores none of them. */
export class SandboxLoginSteps {
  constructor(private readonly secret: string) {}

  /** The `Set-Cookie` value of a login that has come to a step. */
  issue(account: string, step: LoginStep): string {
    const id = randomBytes(9).toString('base64url');
    const body = [Buffer.from(account).toString('base64url'), step, id].join('.');
    return `${COOKIE}=${body}.${this.sign(body)}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${MAX_AGE_SECONDS}`;
  }

  /** The login of a `Cookie` header, if it is at this step. */
  read(cookieHeader: string | undefined, step: LoginStep): PendingLogin | undefined {
    const cookie = cookieHeader?.split('; ').find((part) => part.startsWith(`${COOKIE}=`));
    const [name = '', at = '', id = '', signature = ''] = cookie?.slice(COOKIE.length + 1).split('.') ?? [];
    const isGenuine = isSameSecret(signature, this.sign([name, at, id].join('.')));
    return isGenuine && at === step ? { account: Buffer.from(name, 'base64url').toString(), id } : undefined;
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
