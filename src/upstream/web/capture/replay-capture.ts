import { randomUUID } from 'node:crypto';
import { type CDPSession, type Protocol } from 'puppeteer';
import { type Clock } from '../../../common/time/clock.js';
import { UnavailableError } from '../../upstream.errors.js';
import { type PageGuard } from '../page-guard.js';
import { compileJsonPath } from '../recipe/json-path.js';
import { type ReplayRules } from '../recipe/capture-rules.js';
import { compileUrlPattern } from '../recipe/url-pattern.js';
import { AnswerCapture, type CaptureRun, type Exchange, RunControl } from './capture.js';
import { AnswerStream } from './answer-stream.js';
import { outgoingBody, readBody } from './outgoing-prompt.js';
import { type Signs } from '../recipe/recipe-signs.js';
import { replay, type ReplayOrder, REPORT_FUNCTION } from './replay-function.js';

type PausedRequest = Protocol.Fetch.RequestPausedEvent;

const WORLD = 'gateway';
/** What the page may send ahead of an acknowledgement, in characters. */
const WINDOW = 256 * 1024;
/** An acknowledgement costs a message, so that many characters share one. */
const ACKNOWLEDGE_EVERY = 64 * 1024;
const SET_UP_TIMEOUT_MS = 5000;

/** Headers that a page may not set; the browser adds its own. */
const FORBIDDEN_HEADER =
  /^(?:accept-charset|accept-encoding|access-control-.*|connection|content-length|cookie|date|dnt|expect|host|keep-alive|origin|permissions-policy|proxy-.*|referer|sec-.*|te|trailer|transfer-encoding|upgrade|upgrade-insecure-requests|user-agent|via)$/i;

export interface ReplayOptions {
  readonly rules: ReplayRules;
  readonly signs: Signs;
  readonly clock: Clock;
}

/**
 * The page's UI composes the request and is stopped there; the same request is then sent from an isolated world of the
 * same page, with the page's session, and its answer read in place. Nothing is painted, which makes this the fastest
 * way.
 */
export class ReplayCapture extends AnswerCapture {
  private readonly matchesUrl: (url: string) => boolean;
  private readonly mark = `replay-${randomUUID()}`;
  private exchange: Exchange | undefined;
  private run = new RunControl();
  private stream: AnswerStream | undefined;
  private body = '';
  private context: number | undefined;
  private unacknowledged = 0;

  private constructor(
    private readonly guard: PageGuard,
    private readonly session: CDPSession,
    private readonly options: ReplayOptions,
  ) {
    super();
    this.matchesUrl = compileUrlPattern(options.rules.request.url);
    session.on('Fetch.requestPaused', (event) => this.onPaused(event));
    session.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name === REPORT_FUNCTION) {
        this.run.step(() => this.onReport(payload));
      }
    });
  }

  static async attach(guard: PageGuard, options: ReplayOptions): Promise<ReplayCapture> {
    const session = await guard.page.createCDPSession();
    const capture = new ReplayCapture(guard, session, options);
    await Promise.all([
      session.send('Runtime.enable'),
      session.send('Runtime.addBinding', { name: REPORT_FUNCTION, executionContextName: WORLD }),
      session.send('Fetch.enable', { patterns: [fetchPattern(options.rules.request.url)] }),
    ]);
    return capture;
  }

  start(exchange: Exchange): CaptureRun {
    this.exchange = exchange;
    return this.run;
  }

  cancel(): void {
    this.run.cancel();
    if (this.context !== undefined) {
      this.send('Runtime.evaluate', { expression: 'cancel()', contextId: this.context });
    }
  }

  private onPaused(event: PausedRequest): void {
    const { requestId, request } = event;
    const isOwn = request.urlFragment === `#${this.mark}`;
    if (isOwn) {
      this.send('Fetch.continueRequest', { requestId, postData: encodeBase64(this.body) });
    } else if (this.exchange && this.isWanted(request)) {
      // The page must never send the prompt itself, however often it tries. It must not stay paused either:
      // a paused request is sent when the page closes.
      this.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
      if (!this.run.isRequested) {
        void this.take(event, this.exchange).catch((error: unknown) => this.run.fail(error));
      }
    } else {
      this.send('Fetch.continueRequest', { requestId });
    }
  }

  private isWanted({ url, method }: Protocol.Network.Request): boolean {
    return method === this.options.rules.request.method && this.matchesUrl(url);
  }

  private async take({ request, frameId }: PausedRequest, exchange: Exchange): Promise<void> {
    this.run.markRequested();
    const { rules, signs, clock } = this.options;
    this.body = request.method === 'GET' ? '' : outgoingBody(bodyOf(request), exchange);
    const conversation = rules.answer.conversation;
    this.stream = new AnswerStream(rules, {
      emit: exchange.emit,
      signs,
      conversationId: conversation && readBody(this.body, compileJsonPath(conversation.requestPath)),
      now: () => clock.now(),
    });
    this.context = await this.createWorld(frameId);
    const order: ReplayOrder = {
      url: `${request.url}#${this.mark}`,
      init: {
        method: request.method,
        headers: Object.fromEntries(
          Object.entries(request.headers).filter(([name]) => !FORBIDDEN_HEADER.test(name)),
        ),
        // The real body is put in when the request is paused again, which saves sending it into the page.
        ...(request.method === 'GET' ? {} : { body: '-' }),
        credentials: rules.credentials,
        cache: 'no-store',
      },
      window: WINDOW,
    };
    await this.guard.run(
      this.session.send('Runtime.callFunctionOn', {
        functionDeclaration: replay.toString(),
        executionContextId: this.context,
        arguments: [{ value: order }],
      }),
      { timeoutMs: SET_UP_TIMEOUT_MS, what: 'send the request' },
    );
  }

  private async createWorld(frameId: string): Promise<number> {
    const { executionContextId } = await this.guard.run(
      this.session.send('Page.createIsolatedWorld', { frameId, worldName: WORLD }),
      { timeoutMs: SET_UP_TIMEOUT_MS, what: 'prepare the request' },
    );
    return executionContextId;
  }

  private onReport(report: string): void {
    const { stream, exchange } = this;
    if (!stream || !exchange) {
      return;
    }
    exchange.onActivity();
    switch (report.charAt(0)) {
      case 'h': {
        const head = JSON.parse(report.slice(1)) as { status: number; headers: Record<string, string> };
        stream.head(head.status, head.headers);
        return;
      }
      case 'd':
        stream.data(report.slice(1));
        if (stream.isFinished) {
          this.run.finish();
        }
        this.acknowledge(report.length - 1, exchange);
        return;
      case 'e':
        stream.end();
        this.run.finish();
        return;
      default:
        throw new UnavailableError('stream_reset', `The connection to the site failed: ${report.slice(1)}`);
    }
  }

  private acknowledge(length: number, { flow }: Exchange): void {
    this.unacknowledged += length;
    if (this.unacknowledged < ACKNOWLEDGE_EVERY) {
      return;
    }
    if (flow.isOpen) {
      const expression = `acknowledge(${this.unacknowledged})`;
      this.unacknowledged = 0;
      this.send('Runtime.evaluate', { expression, contextId: this.context });
    } else {
      void flow.whenOpen().then(() => this.acknowledge(0, { flow } as Exchange));
    }
  }

  /** For messages whose answer nobody waits for: if one fails, the page is gone, which shows elsewhere. */
  private send(...message: Parameters<CDPSession['send']>): void {
    this.session.send(...message).catch(() => undefined);
  }
}

/** CDP's wildcards are `*` and `?`; a fragment may follow. */
function fetchPattern(url: string): Protocol.Fetch.RequestPattern {
  return { urlPattern: `${url.replace(/[?\\]/g, '\\$&')}*`, requestStage: 'Request' };
}

function bodyOf({ postData, postDataEntries }: Protocol.Network.Request): string {
  if (postDataEntries?.every(({ bytes }) => bytes !== undefined)) {
    return Buffer.concat(postDataEntries.map(({ bytes }) => Buffer.from(bytes ?? '', 'base64'))).toString(
      'utf8',
    );
  }
  if (postData === undefined) {
    throw new UnavailableError('body_unreadable', 'The body of the request of the page cannot be read.');
  }
  return postData;
}

function encodeBase64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
