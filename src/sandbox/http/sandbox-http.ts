import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type SandboxAccounts } from '../state/sandbox-accounts.js';
import { type SandboxFeatures } from '../state/sandbox-features.js';
import { isSame, SandboxSessions } from '../state/sandbox-sessions.js';
import { HttpSink, sendFixed } from './answer-sink.js';
import { type PendingAnswers } from './pending-answers.js';
import { readAdminCall, type SandboxAdmin } from './sandbox-admin.js';
import { type Exchange } from './sandbox-exchange.js';
import { type SandboxIntake } from './sandbox-intake.js';
import { type SandboxPages } from './sandbox-pages.js';
import {
  challengeResponse,
  type FixedResponse,
  html,
  json,
  jsonError,
  unauthenticated,
} from './sandbox-refusal.js';
import { BadRequestError, parseJsonBody, readForm, receiveBody } from './sandbox-requests.js';
import { pause } from './sandbox-stream.js';

/** What the routes work with. */
export interface SandboxParts {
  readonly accounts: SandboxAccounts;
  readonly sessions: SandboxSessions;
  readonly intake: SandboxIntake;
  readonly pending: PendingAnswers;
  readonly pages: SandboxPages;
  readonly admin: SandboxAdmin;
  readonly models: readonly string[];
  readonly adminToken: string;
  /** Aborted when the site closes. */
  readonly closing: AbortSignal;
  features(): SandboxFeatures;
}

type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
) => Promise<FixedResponse | undefined>;

const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

/** The site's pages and its API over HTTP. */
export class SandboxHttp {
  private readonly routes: Readonly<Record<string, Handler>> = {
    'GET /': (request) => this.chatPage(request),
    'GET /login': async () => html(200, this.parts.pages.loginPage()),
    'POST /login': (request) => this.logIn(request),
    'POST /logout': (request) => this.logOut(request),
    'POST /challenge': (request) => this.passChallenge(request),
    'POST /api/chat': (request, response) => this.chat(request, response),
    'POST /api/messages': (request, response) => this.postMessage(request, response),
    'GET /api/events': (request, response, url) => this.streamEvents(request, response, url),
    'POST /api/stop': (request) => this.stop(request),
    'POST /admin/switches': (request) => this.setSwitches(request),
    'GET /admin/records': (request) => this.showRecords(request),
  };

  constructor(private readonly parts: SandboxParts) {}

  /** Answers one request. Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
      response.setHeader(name, value);
    }
    try {
      const url = new URL(request.url ?? '/', 'http://sandbox');
      const fixed = await this.route(request, response, url);
      if (fixed) {
        sendFixed(response, fixed);
      }
    } catch (error) {
      this.fail(response, error);
    }
  }

  private route(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
  ): Promise<FixedResponse | undefined> {
    const key = `${request.method} ${url.pathname}`;
    const handler = Object.hasOwn(this.routes, key) ? this.routes[key] : undefined;
    if (handler) {
      return handler(request, response, url);
    }
    const asset = request.method === 'GET' ? this.parts.pages.asset(url.pathname.slice(1)) : undefined;
    return Promise.resolve(asset ?? jsonError(404, 'not_found', 'There is no such page.'));
  }

  private fail(response: ServerResponse, error: unknown): void {
    if (response.headersSent || response.destroyed) {
      response.destroy();
    } else if (error instanceof BadRequestError) {
      sendFixed(response, jsonError(error.status, error.code, error.message, { connection: 'close' }));
    } else {
      sendFixed(response, jsonError(500, 'internal_error', 'The sandbox failed.'));
    }
  }

  private async chatPage(request: IncomingMessage): Promise<FixedResponse> {
    const session = this.parts.intake.session(request.headers);
    if (!session) {
      return redirect('/login');
    }
    if (this.parts.accounts.isBlocked(session.account)) {
      return challengeResponse(this.parts.pages);
    }
    return this.parts.pages.chatPage({
      account: session.account,
      csrfToken: this.parts.sessions.csrfToken(session),
      models: this.parts.models,
      features: this.parts.features(),
    });
  }

  private async logIn(request: IncomingMessage): Promise<FixedResponse> {
    const form = await readForm(request);
    const user = form.get('user') ?? '';
    await pause(this.parts.features().loginMs, this.parts.closing);
    const { accounts, sessions, pages } = this.parts;
    switch (accounts.logIn(user, form.get('password') ?? '')) {
      case 'ok':
        return redirect('/', sessions.issue(user));
      case 'wrong':
        return html(401, pages.loginPage('Wrong user name or password.', user));
      case 'locked':
        return html(403, pages.loginPage('This account is locked.', user));
    }
  }

  private async logOut(request: IncomingMessage): Promise<FixedResponse> {
    const session = this.parts.intake.session(request.headers);
    const form = await readForm(request);
    if (session && this.parts.sessions.isCsrfToken(session, form.get('csrf_token'))) {
      this.parts.sessions.revoke(session);
    }
    return redirect('/login', SandboxSessions.expired());
  }

  /** A person at the challenge page says that they are one. */
  private async passChallenge(request: IncomingMessage): Promise<FixedResponse> {
    const session = this.parts.intake.session(request.headers);
    if (session) {
      this.parts.accounts.unblock(session.account);
    }
    return redirect('/');
  }

  private async chat(request: IncomingMessage, response: ServerResponse): Promise<FixedResponse | undefined> {
    const exchange = await this.take(request, 'http');
    if ('status' in exchange) {
      return exchange;
    }
    const sink = openSink(exchange, response);
    if (await exchange.open(sink)) {
      await exchange.play(sink);
    }
    return undefined;
  }

  /** Takes a prompt whose answer is fetched with another request. */
  private async postMessage(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<FixedResponse | undefined> {
    const exchange = await this.take(request, 'eventsource');
    if ('status' in exchange) {
      return exchange;
    }
    const isOpen = await exchange.open(openSink(exchange, response));
    return isOpen ? json(200, { id: this.parts.pending.add(exchange) }) : undefined;
  }

  private async streamEvents(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
  ): Promise<FixedResponse | undefined> {
    const account = this.parts.intake.session(request.headers)?.account ?? '';
    const exchange = this.parts.pending.take(url.searchParams.get('id') ?? '', account);
    if (!exchange) {
      // 204 tells an EventSource not to come back.
      return { status: 204, headers: {}, body: '' };
    }
    await exchange.play(openSink(exchange, response));
    return undefined;
  }

  private async take(
    request: IncomingMessage,
    transport: 'http' | 'eventsource',
  ): Promise<Exchange | FixedResponse> {
    const body = parseJsonBody(await receiveBody(request));
    return this.parts.intake.prompt(request.headers, request.headers['x-csrf-token'], body, transport);
  }

  private async stop(request: IncomingMessage): Promise<FixedResponse> {
    const body = parseJsonBody(await receiveBody(request));
    return this.parts.intake.stop(request.headers, request.headers['x-csrf-token'], body)
      ? json(200, { stopped: true })
      : unauthenticated();
  }

  private async setSwitches(request: IncomingMessage): Promise<FixedResponse> {
    const body = await receiveBody(request);
    if (!this.isAdmin(request)) {
      return jsonError(403, 'admin', 'Wrong admin token.');
    }
    readAdminCall(parseJsonBody(body), this.parts.admin);
    return json(200, { ok: true });
  }

  private async showRecords(request: IncomingMessage): Promise<FixedResponse> {
    return this.isAdmin(request)
      ? json(200, this.parts.admin.report())
      : jsonError(403, 'admin', 'Wrong admin token.');
  }

  private isAdmin(request: IncomingMessage): boolean {
    return isSame(String(request.headers['x-admin-token']), this.parts.adminToken);
  }
}

/** A sink for an exchange, which ends when the client leaves. */
function openSink(exchange: Exchange, response: ServerResponse): HttpSink {
  response.once('close', () => {
    if (!response.writableFinished) {
      exchange.cancel('client_closed');
    }
  });
  return new HttpSink(response);
}

function redirect(location: string, cookie?: string): FixedResponse {
  return { status: 303, headers: cookie ? { location, 'set-cookie': cookie } : { location }, body: '' };
}
