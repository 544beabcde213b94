import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type SandboxAccounts } from '../state/sandbox-accounts.js';
import { type SandboxFeatures } from '../state/sandbox-features.js';
import { type SandboxSessions } from '../state/sandbox-sessions.js';
import { isSameSecret } from '../state/signed-cookie.js';
import { HttpSink, sendFixed } from './http-sink.js';
import { type PendingAnswers } from './pending-answers.js';
import { applyAdminCall, type SandboxAdmin } from './sandbox-admin.js';
import { type SandboxExchange } from './sandbox-exchange.js';
import { type SandboxIntake } from './sandbox-intake.js';
import { type SandboxLogin } from './sandbox-login.js';
import { type SandboxPages } from './sandbox-pages.js';
import {
  challengeResponse,
  type FixedResponse,
  json,
  jsonError,
  unauthenticated,
} from './sandbox-refusal.js';
import { BadRequestError, parseObject, readRequestText } from './sandbox-requests.js';

/** Collaborators of the routes. */
export interface SandboxParts {
  readonly accounts: SandboxAccounts;
  readonly sessions: SandboxSessions;
  readonly intake: SandboxIntake;
  readonly login: SandboxLogin;
  readonly pending: PendingAnswers;
  readonly pages: SandboxPages;
  readonly admin: SandboxAdmin;
  readonly models: readonly string[];
  readonly adminToken: string;
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
    const { routes } = this.parts.login;
    const step = Object.hasOwn(routes, key) ? routes[key] : undefined;
    if (step) {
      return step(request);
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
      return { status: 303, headers: { location: '/login' }, body: '' };
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

  /** Accepts a prompt whose answer a second request fetches. */
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
      // 204 keeps an EventSource from connecting again.
      return { status: 204, headers: {}, body: '' };
    }
    await exchange.play(openSink(exchange, response));
    return undefined;
  }

  private async take(
    request: IncomingMessage,
    transport: 'http' | 'eventsource',
  ): Promise<SandboxExchange | FixedResponse> {
    const body = parseObject(await readRequestText(request));
    return this.parts.intake.prompt(request.headers, request.headers['x-csrf-token'], body, transport);
  }

  private async stop(request: IncomingMessage): Promise<FixedResponse> {
    const body = parseObject(await readRequestText(request));
    return this.parts.intake.stop(request.headers, request.headers['x-csrf-token'], body)
      ? json(200, { stopped: true })
      : unauthenticated();
  }

  private async setSwitches(request: IncomingMessage): Promise<FixedResponse> {
    const body = await readRequestText(request);
    if (!this.isAdmin(request)) {
      return jsonError(403, 'admin', 'Wrong admin token.');
    }
    applyAdminCall(parseObject(body), this.parts.admin);
    return json(200, { ok: true });
  }

  private async showRecords(request: IncomingMessage): Promise<FixedResponse> {
    return this.isAdmin(request)
      ? json(200, this.parts.admin.report())
      : jsonError(403, 'admin', 'Wrong admin token.');
  }

  private isAdmin(request: IncomingMessage): boolean {
    return isSameSecret(String(request.headers['x-admin-token']), this.parts.adminToken);
  }
}

/** Sink of an exchange, which is cancelled when the client leaves. */
function openSink(exchange: SandboxExchange, response: ServerResponse): HttpSink {
  response.once('close', () => {
    if (!response.writableFinished) {
      exchange.cancel('client_closed');
    }
  });
  return new HttpSink(response);
}
