import { randomUUID } from 'node:crypto';
import { type FlowGate } from '../../flow-gate.js';
import { UnavailableError } from '../../upstream.errors.js';
import { type PageGuard } from '../page/page-guard.js';
import { OWN_FRAGMENT } from '../page/page-traffic.js';
import { type ReplayRules } from '../recipe/capture-rules.js';
import { type CaptureTask } from './answer-capture.js';
import { type AnswerStream } from './answer-stream.js';
import { NetworkCapture } from './network-capture.js';
import { type NetworkCaptureOptions } from './network-capture-options.js';
import { bytesOfBody } from './outgoing-prompt.js';
import { replay, type ReplayOrder, REPORT_FUNCTION } from './replay-function.js';
import { headersOf, type PausedRequest } from './request-gate.js';

const WORLD = 'gateway';
/** Characters that the page may deliver ahead of an acknowledgement. */
const WINDOW = 256 * 1024;
/** Characters per acknowledgement, each of which costs a message. */
const ACKNOWLEDGE_EVERY = 64 * 1024;
const SET_UP_TIMEOUT_MS = 5000;

/** Headers that a page may not set, or that the browser adds by itself, in lower case. */
const FORBIDDEN_HEADERS: ReadonlySet<string> = new Set([
  'accept-charset',
  'accept-encoding',
  'connection',
  'content-length',
  'cookie',
  'date',
  'dnt',
  'expect',
  'host',
  'keep-alive',
  'origin',
  'permissions-policy',
  'referer',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'upgrade-insecure-requests',
  'user-agent',
  'via',
]);
const FORBIDDEN_PREFIX = /^(?:access-control|proxy|sec)-/;

/**
 * Intercepts the request that the page's UI composes, sends the same one from an isolated world of the page, within its
 * session, and reads the answer there. The fastest way, since nothing is painted. The UI's request is failed, not held:
 * the browser sends a held request when the page closes.
 */
export class ReplayCapture extends NetworkCapture<ReplayRules> {
  private readonly mark = OWN_FRAGMENT + randomUUID();
  private stream: AnswerStream | undefined;
  private body: Buffer | undefined;
  /** Headers of the response as the browser got them: a page sees few of another origin's. */
  private headers: Readonly<Record<string, string>> = {};
  private context: number | undefined;
  private unacknowledged = 0;

  static async attach(guard: PageGuard, options: NetworkCaptureOptions<ReplayRules>): Promise<ReplayCapture> {
    const session = await guard.page.createCDPSession();
    const capture = new ReplayCapture(guard, session, options);
    session.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name === REPORT_FUNCTION) {
        capture.run.step(() => capture.onReport(payload));
      }
    });
    await Promise.all([
      session.send('Runtime.enable'),
      session.send('Runtime.addBinding', { name: REPORT_FUNCTION, executionContextName: WORLD }),
      capture.enable(),
    ]);
    return capture;
  }

  override cancel(): void {
    super.cancel();
    if (this.context !== undefined) {
      this.gate.send('Runtime.evaluate', { expression: 'cancel()', contextId: this.context });
    }
  }

  protected override get readsResponses(): boolean {
    return true;
  }

  protected override onResponse(event: PausedRequest): Promise<void> {
    if (this.isMarked(event)) {
      const headers = headersOf(event.responseHeaders);
      delete headers['set-cookie'];
      this.headers = headers;
    }
    return Promise.resolve();
  }

  protected isOwnRequest(event: PausedRequest): boolean {
    const isOwn = this.isMarked(event);
    if (isOwn) {
      this.gate.letThrough(event, this.body);
    }
    return isOwn;
  }

  protected takeAnswer(event: PausedRequest, changed: string | undefined, task: CaptureTask): void {
    this.gate.refuse(event);
    // The page's own byte for byte: it need not be text.
    this.body = changed === undefined ? bytesOfBody(event.request) : Buffer.from(changed);
    this.stream = this.createStream(task);
    void this.order(event).catch((error: unknown) => this.run.fail(error));
  }

  private isMarked({ request }: PausedRequest): boolean {
    return request.urlFragment === `#${this.mark}`;
  }

  private async order({ request, frameId }: PausedRequest): Promise<void> {
    this.context = await this.createWorld(frameId);
    const order: ReplayOrder = {
      url: `${request.url}#${this.mark}`,
      init: {
        method: request.method,
        headers: Object.fromEntries(
          Object.entries(request.headers).filter(([name]) => !isForbidden(name.toLowerCase())),
        ),
        // The body is replaced when this request is intercepted in turn, which saves sending it into the page.
        ...(request.method !== 'GET' && { body: '-' }),
        credentials: this.options.rules.credentials,
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
    const { stream, task } = this;
    if (!stream || !task) {
      return;
    }
    task.onActivity();
    switch (report.charAt(0)) {
      case 'h': {
        const head = JSON.parse(report.slice(1)) as { status: number; headers: Record<string, string> };
        stream.head(head.status, { ...head.headers, ...this.headers });
        return;
      }
      case 'd':
        stream.data(report.slice(1));
        if (stream.isFinished) {
          this.run.finish();
        }
        this.acknowledge(report.length - 1, task.flow);
        return;
      case 'e':
        stream.end();
        this.run.finish();
        return;
      default:
        throw new UnavailableError('stream_reset', `The connection to the site failed: ${report.slice(1)}`);
    }
  }

  private acknowledge(length: number, flow: FlowGate): void {
    this.unacknowledged += length;
    if (this.unacknowledged < ACKNOWLEDGE_EVERY) {
      return;
    }
    if (flow.isOpen) {
      const expression = `acknowledge(${this.unacknowledged})`;
      this.unacknowledged = 0;
      this.gate.send('Runtime.evaluate', { expression, contextId: this.context });
    } else {
      void flow.whenOpen().then(() => this.acknowledge(0, flow));
    }
  }
}

function isForbidden(header: string): boolean {
  return FORBIDDEN_HEADERS.has(header) || FORBIDDEN_PREFIX.test(header);
}
