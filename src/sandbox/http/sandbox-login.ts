import { type IncomingMessage } from 'node:http';
import { type SandboxAccounts } from '../state/sandbox-accounts.js';
import { type SandboxFeatures } from '../state/sandbox-features.js';
import { LOGIN_STEPS, type LoginStep, type SandboxLoginSteps } from '../state/sandbox-login-steps.js';
import { type SandboxSessions } from '../state/sandbox-sessions.js';
import { type SandboxIntake } from './sandbox-intake.js';
import { type SandboxPages } from './sandbox-pages.js';
import { type FixedResponse, htmlResponse } from './sandbox-refusal.js';
import { readForm } from './sandbox-requests.js';
import { pause } from './sandbox-stream.js';

/** Collaborators of the login's pages. */
export interface SandboxLoginParts {
  readonly accounts: SandboxAccounts;
  readonly sessions: SandboxSessions;
  readonly steps: SandboxLoginSteps;
  readonly intake: SandboxIntake;
  readonly pages: SandboxPages;
  /** Aborted when the site closes. */
  readonly closing: AbortSignal;
  features(): SandboxFeatures;
}

/** The way into the site: password, then a code and a consent where the features want them; the challenge, and the way out. */
export class SandboxLogin {
  constructor(private readonly parts: SandboxLoginParts) {}

  /** Its routes, as `SandboxHttp` has them. */
  readonly routes: Readonly<Record<string, (request: IncomingMessage) => Promise<FixedResponse>>> = {
    'GET /login': async () => htmlResponse(200, this.parts.pages.loginPage()),
    'POST /login': (request) => this.logIn(request),
    'GET /login/code': async (request) => this.codePage(request),
    'POST /login/code': (request) => this.takeCode(request),
    'GET /login/consent': async (request) => this.consentPage(request),
    'POST /login/consent': (request) => this.takeConsent(request),
    'POST /logout': (request) => this.logOut(request),
    'POST /challenge': (request) => this.passChallenge(request),
  };

  private async logIn(request: IncomingMessage): Promise<FixedResponse> {
    const form = await readForm(request);
    const user = form.get('user') ?? '';
    await pause(this.parts.features().loginMs, this.parts.closing);
    const { accounts, pages } = this.parts;
    switch (accounts.logIn(user, form.get('password') ?? '')) {
      case 'ok':
        return this.goOn(user, LOGIN_STEPS);
      case 'wrong':
        return htmlResponse(401, pages.loginPage('Wrong user name or password.', user));
      case 'locked':
        return htmlResponse(403, pages.loginPage('This account is locked.', user));
    }
  }

  private codePage({ headers }: IncomingMessage, error = ''): FixedResponse {
    const { steps, pages } = this.parts;
    const login = steps.read(headers.cookie, 'code');
    return login
      ? htmlResponse(error ? 401 : 200, pages.codePage(steps.codeOf(login), error))
      : redirect('/login');
  }

  private async takeCode(request: IncomingMessage): Promise<FixedResponse> {
    const { steps } = this.parts;
    const code = (await readForm(request)).get('code') ?? '';
    const login = steps.read(request.headers.cookie, 'code');
    if (!login) {
      return redirect('/login');
    }
    return code === steps.codeOf(login)
      ? this.goOn(login.account, ['consent'])
      : this.codePage(request, 'This is not the code.');
  }

  private consentPage({ headers }: IncomingMessage): FixedResponse {
    const login = this.parts.steps.read(headers.cookie, 'consent');
    return login ? htmlResponse(200, this.parts.pages.consentPage(login.account)) : redirect('/login');
  }

  private async takeConsent({ headers }: IncomingMessage): Promise<FixedResponse> {
    const login = this.parts.steps.read(headers.cookie, 'consent');
    return login ? this.goOn(login.account, []) : redirect('/login');
  }

  private async logOut(request: IncomingMessage): Promise<FixedResponse> {
    const session = this.parts.intake.session(request.headers);
    const form = await readForm(request);
    if (session && this.parts.sessions.isCsrfToken(session, form.get('csrf_token'))) {
      this.parts.sessions.revoke(session);
    }
    return redirect('/login', this.parts.sessions.expired);
  }

  /** Lifts the challenge: a person has pressed its button. */
  private async passChallenge(request: IncomingMessage): Promise<FixedResponse> {
    const session = this.parts.intake.session(request.headers);
    if (session) {
      this.parts.accounts.unblock(session.account);
    }
    return redirect('/');
  }

  /** The first of these steps that the site wants now, or the chat. */
  private goOn(account: string, further: readonly LoginStep[]): FixedResponse {
    const { loginCode, consent } = this.parts.features();
    const wanted = { code: loginCode, consent };
    const step = further.find((candidate) => wanted[candidate]);
    return step
      ? redirect(`/login/${step}`, this.parts.steps.issue(account, step))
      : redirect('/', this.parts.sessions.issue(account));
  }
}

/** @param cookie value of `Set-Cookie` */
function redirect(location: string, cookie?: string): FixedResponse {
  return { status: 303, headers: cookie ? { location, 'set-cookie': cookie } : { location }, body: '' };
}
