import { type CDPSession, type Protocol } from 'puppeteer';
import { CANCELLED, type NetworkExchange, NO_EXCHANGE } from '../../../common/network/network-log.js';
import { type Clock } from '../../../common/time/clock.js';
import { UpstreamError } from '../../upstream.errors.js';
import { type PageGuard } from '../page/page-guard.js';
import { type PageTraffic } from '../page/page-traffic.js';
import { type WorkbenchObserver } from '../page/workbench-observer.js';
import { type NetworkRules, type RequestMatch } from '../recipe/capture-rules.js';
import { compileJsonPath } from '../recipe/json-path.js';
import { type Signs } from '../recipe/recipe-signs.js';
import { findRefusal } from '../recipe/refusal.js';
import { compileUrlPattern } from '../recipe/url-pattern.js';
import { AnswerStream } from './answer-stream.js';
import { AnswerCapture, type CaptureRun, type CaptureTask, RunControl } from './capture.js';
import { bodyOf, outgoingBody, readFromJson } from './outgoing-prompt.js';

export type PausedRequest = Protocol.Fetch.RequestPausedEvent;

export interface NetworkCaptureOptions<Rules extends NetworkRules> {
  readonly rules: Rules;
  readonly signs: Signs;
  readonly clock: Clock;
  /** Most bytes without a piece of the answer. */
  readonly maxFillerBytes: () => number;
  readonly workbench?: WorkbenchObserver;
  readonly traffic: PageTraffic;
}

const READ_TIMEOUT_MS = 5000;

/**
 * Intercepts requests between the page, its workers and the network: checks that the prompt is sent whole and only once,
 * and hands the request for the answer to its subclass.
 */
export abstract class NetworkCapture<Rules extends NetworkRules> extends AnswerCapture {
  protected readonly run = new RunControl();
  protected task: CaptureTask | undefined;
  /** Log entry of the request that is answered. */
  protected record: NetworkExchange = NO_EXCHANGE;
  private readonly matchesAnswer: (request: Protocol.Network.Request) => boolean;
  private readonly matchesPrompt: (request: Protocol.Network.Request) => boolean;
  private promptBody: string | undefined;
  private isAnswerTaken = false;

  protected constructor(
    protected readonly guard: PageGuard,
    protected readonly session: CDPSession,
    protected readonly options: NetworkCaptureOptions<Rules>,
  ) {
    super();
    const { request, promptRequest } = options.rules;
    this.matchesAnswer = compileMatch(request);
    this.matchesPrompt = promptRequest ? compileMatch(promptRequest) : () => false;
    session.on('Fetch.requestPaused', (event) => this.onPaused(event));
  }

  start(task: CaptureTask): CaptureRun {
    this.task = task;
    return this.run;
  }

  cancel(): void {
    this.run.cancel();
    this.record.end(CANCELLED);
  }

  /** Handles the page's request for the answer, with this body. */
  protected abstract takeAnswer(event: PausedRequest, body: string, task: CaptureTask): void;

  /** Whether the driver itself sent this request; if so, it is also let through. */
  protected abstract isOwnRequest(event: PausedRequest): boolean;

  protected async enable(): Promise<void> {
    const { request, promptRequest } = this.options.rules;
    await this.session.send('Fetch.enable', {
      patterns: [
        fetchPattern(request.url, 'Request'),
        ...(promptRequest
          ? [fetchPattern(promptRequest.url, 'Request'), fetchPattern(promptRequest.url, 'Response')]
          : []),
      ],
    });
  }

  protected createStream(task: CaptureTask): AnswerStream {
    const { rules, signs, clock, workbench, maxFillerBytes } = this.options;
    const { conversation } = rules.answer;
    const read = conversation && compileJsonPath(conversation.requestPath);
    return new AnswerStream(rules, {
      emit: task.emit,
      signs,
      conversationId: read && readFromJson(this.promptBody ?? '', read),
      now: () => clock.now(),
      workbench,
      maxFillerBytes,
      record: this.record,
    });
  }

  /** Ends the log entry together with the run. */
  protected follow(record: NetworkExchange): void {
    this.record = record;
    this.run.finished.then(
      () => record.end(),
      (error: unknown) => record.end(describeFailure(error)),
    );
  }

  /** Takes an outgoing text as the prompt's; returns the text to send. Throws if the prompt is not whole in it. */
  protected takePrompt(body: string, task: CaptureTask): string {
    this.promptBody = outgoingBody(body, task);
    this.run.markRequested();
    task.onActivity();
    return this.promptBody;
  }

  /** Sends a message whose answer does not matter: it fails only if the page is gone, which `PageGuard` reports. */
  protected send(...message: Parameters<CDPSession['send']>): void {
    this.session.send(...message).catch(() => undefined);
  }

  protected refuse({ requestId }: PausedRequest): void {
    this.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
  }

  protected letThrough({ requestId }: PausedRequest, body?: string): void {
    const postData = body === undefined ? {} : { postData: Buffer.from(body, 'utf8').toString('base64') };
    this.send('Fetch.continueRequest', { requestId, ...postData });
  }

  private onPaused(event: PausedRequest): void {
    const { task } = this;
    if (event.responseStatusCode !== undefined || event.responseErrorReason !== undefined) {
      void this.checkResponse(event);
    } else if (this.isOwnRequest(event)) {
      return;
    } else if (task && this.matchesPrompt(event.request)) {
      this.onPrompt(event, task);
    } else if (task && this.matchesAnswer(event.request)) {
      this.onAnswer(event, task);
    } else {
      this.letThrough(event);
    }
  }

  private onPrompt(event: PausedRequest, task: CaptureTask): void {
    if (this.run.isRequested) {
      this.refuse(event);
      return;
    }
    this.orRefuse(event, () => {
      const body = bodyOf(event.request);
      const filled = this.takePrompt(body, task);
      this.letThrough(event, filled === body ? undefined : filled);
    });
  }

  private onAnswer(event: PausedRequest, task: CaptureTask): void {
    // The site must get the prompt once, however often the page repeats its request.
    if (this.isAnswerTaken) {
      this.refuse(event);
      return;
    }
    this.isAnswerTaken = true;
    this.orRefuse(event, () => {
      const body = event.request.method === 'GET' ? '' : bodyOf(event.request);
      const filled = this.options.rules.promptRequest ? body : this.takePrompt(body, task);
      this.follow(this.options.traffic.adopt(event.request, filled));
      this.takeAnswer(event, filled, task);
    });
  }

  private orRefuse(event: PausedRequest, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.refuse(event);
      this.run.fail(error);
    }
  }

  /** Ends the run if the site refuses the request with the prompt, where the answer comes by another request. */
  private async checkResponse(event: PausedRequest): Promise<void> {
    const { requestId, responseStatusCode: status = 0, responseHeaders = [] } = event;
    if (this.task && this.matchesPrompt(event.request) && status > 0) {
      const { body, base64Encoded } = await this.guard
        .run(this.session.send('Fetch.getResponseBody', { requestId }), {
          timeoutMs: READ_TIMEOUT_MS,
          what: 'read a response',
        })
        .catch(() => ({ body: '', base64Encoded: false }));
      const headers = Object.fromEntries(
        responseHeaders.map(({ name, value }) => [name.toLowerCase(), value]),
      );
      const text = base64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body;
      const { signs, clock } = this.options;
      const error = findRefusal({ status, headers, body: text }, signs, clock.now());
      if (error) {
        this.run.fail(error);
      }
    }
    this.send('Fetch.continueRequest', { requestId });
  }
}

function describeFailure(error: unknown): string {
  return error instanceof UpstreamError ? `${error.reason}: ${error.message}` : 'It failed.';
}

function compileMatch({ url, method }: RequestMatch): (request: Protocol.Network.Request) => boolean {
  const matchesUrl = compileUrlPattern(url);
  return (request) => request.method === method && matchesUrl(request.url);
}

/** The pattern for the DevTools protocol, where `?` is a wildcard, too; a fragment may follow. */
function fetchPattern(url: string, requestStage: Protocol.Fetch.RequestStage): Protocol.Fetch.RequestPattern {
  return { urlPattern: `${url.replace(/[?\\]/g, '\\$&')}*`, requestStage };
}
