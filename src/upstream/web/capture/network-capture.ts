import { type CDPSession } from 'puppeteer';
import { CANCELLED, type NetworkExchange, NO_EXCHANGE } from '../../../common/network/network-log.js';
import { UnavailableError, UpstreamError } from '../../upstream.errors.js';
import { type PageGuard } from '../page/page-guard.js';
import { type CaptureFit } from '../page/workbench-observer.js';
import { type NetworkRules } from '../recipe/capture-rules.js';
import { findRefusal } from '../recipe/refusal.js';
import { AnswerCapture, type CaptureRun, type CaptureTask, RunControl } from './answer-capture.js';
import { AnswerStream } from './answer-stream.js';
import { CaptureNotes } from './capture-notes.js';
import { ConversationId } from './conversation-id.js';
import { type NetworkCaptureOptions } from './network-capture-options.js';
import { outgoingBody, outgoingText, refuseEarlier } from './outgoing-prompt.js';
import { type PausedRequest, RequestGate } from './request-gate.js';
import { compileMatch, fetchPatterns, type RequestTest } from './request-match.js';

/** Intercepts the page's requests: sees to a prompt that is sent whole and once; its subclass reads the answer. */
export abstract class NetworkCapture<Rules extends NetworkRules> extends AnswerCapture {
  protected readonly run = new RunControl();
  protected task: CaptureTask | undefined;
  /** Log entry of the request that is answered. */
  protected record: NetworkExchange = NO_EXCHANGE;
  protected readonly conversation: ConversationId;
  protected readonly gate: RequestGate;
  protected readonly notes: CaptureNotes;
  private readonly matchesAnswer: RequestTest;
  private readonly matchesPrompt: RequestTest;
  private isAnswerTaken = false;

  protected constructor(
    protected readonly guard: PageGuard,
    protected readonly session: CDPSession,
    protected readonly options: NetworkCaptureOptions<Rules>,
  ) {
    super();
    const { request, promptRequest, answer } = options.rules;
    this.notes = new CaptureNotes(options.workbench);
    this.gate = new RequestGate(session, guard);
    this.matchesAnswer = compileMatch(request);
    this.matchesPrompt = promptRequest ? compileMatch(promptRequest) : () => false;
    this.conversation = new ConversationId(answer.conversation);
    session.on('Fetch.requestPaused', (event) => void this.orRefuse(event, () => this.onPaused(event)));
  }

  start(task: CaptureTask): CaptureRun {
    this.task = task;
    return this.run;
  }

  cancel(): void {
    this.run.cancel();
    this.record.end(CANCELLED);
  }

  override get placeholder(): string | undefined {
    return this.options.placeholder;
  }

  override get findings(): string | undefined {
    if (!this.run.isRequested) {
      return this.notes.beforePrompt;
    }
    return this.options.rules.promptRequest && this.notes.afterPrompt(this.conversation.value);
  }

  override get otherRequests(): number {
    return this.notes.others;
  }

  /**
   * Handles the page's request for the answer.
   * @param changed body in place of the page's own, if it is to be sent with another
   */
  protected abstract takeAnswer(event: PausedRequest, changed: string | undefined, task: CaptureTask): void;

  /** Whether the driver itself sent this request; if so, it is also let through. */
  protected abstract isOwnRequest(event: PausedRequest): boolean;

  /** Whether a request for an answer opens a connection that several answers share; if so, it is also let through. */
  protected isShared(_event: PausedRequest): boolean {
    return false;
  }

  /** The texts of an outgoing body in which the prompt may stand. */
  protected textsOf(body: string): readonly string[] {
    return [body];
  }

  /** The prompt is out, in a request of its own or in the one that is answered. */
  protected onPromptTaken(_task: CaptureTask): void {
    // Only some captures begin to read before their own request comes.
  }

  /** Handles the head of a response that matches, apart from that to the prompt; it goes on to the page afterwards. */
  protected onResponse(_event: PausedRequest): Promise<void> {
    return Promise.resolve();
  }

  protected async enable(): Promise<void> {
    const patterns = fetchPatterns(this.options.rules, this.readsResponses);
    await this.session.send('Fetch.enable', { patterns });
  }

  /** Whether responses to `request` are to be handed to `onResponse`. */
  protected get readsResponses(): boolean {
    return false;
  }

  protected createStream(task: CaptureTask): AnswerStream {
    const { rules, signs, clock, workbench, maxFillerBytes } = this.options;
    return new AnswerStream(rules, {
      emit: task.emit,
      signs,
      conversationId: () => this.conversation.value,
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

  /** Notes that this body with the prompt leaves the page. */
  protected promptSent(body: string, task: CaptureTask): void {
    this.conversation.sent(body);
    task.earlier.note(task.prompt, body);
    this.run.markRequested();
    task.onActivity();
    this.onPromptTaken(task);
  }

  private async onPaused(event: PausedRequest): Promise<void> {
    const { task } = this;
    if (event.responseStatusCode !== undefined || event.responseErrorReason !== undefined) {
      await this.passResponse(event);
    } else if (this.isOwnRequest(event)) {
      return;
    } else if (task && this.matchesPrompt(event.request)) {
      this.onPrompt(event, task);
    } else if (!this.matchesAnswer(event.request)) {
      this.gate.letThrough(event);
    } else if (!this.isShared(event)) {
      this.onAnswer(event, task);
    }
  }

  private onPrompt(event: PausedRequest, task: CaptureTask): void {
    const body = outgoingText(event.request);
    const filled = this.takePrompt('promptRequest', event, body, task);
    if (filled !== undefined) {
      if (!this.isConnected) {
        throw new UnavailableError('stream_reset', 'The page has lost its connection to the site.');
      }
      this.notes.note('promptRequest', 'taken', event.request);
      this.gate.letThrough(event, filled === body ? undefined : Buffer.from(filled));
      this.promptSent(filled, task);
    }
  }

  private onAnswer(event: PausedRequest, task: CaptureTask | undefined): void {
    const { promptRequest } = this.options.rules;
    if (!task || (promptRequest && !this.conversation.fitsUrl(event.request.url))) {
      if (task) {
        this.notes.note('request', 'other-conversation', event.request);
      }
      this.gate.letThrough(event);
      return;
    }
    const body = outgoingText(event.request);
    const filled = promptRequest ? body : this.takePrompt('request', event, body, task);
    if (filled === undefined) {
      return;
    }
    // The site must get the prompt once, however often the page repeats its request.
    if (this.isAnswerTaken) {
      this.notes.note('request', 'repeated', event.request);
      this.gate.refuse(event);
      return;
    }
    if (promptRequest) {
      // The prompt went out by another request; this one may carry the turns before it.
      refuseEarlier([filled], task);
    }
    this.isAnswerTaken = true;
    this.notes.note('request', 'taken', event.request);
    this.follow(this.options.traffic.adopt(event.request, event.request.method === 'GET' ? '' : filled));
    if (!promptRequest) {
      this.promptSent(filled, task);
    }
    this.takeAnswer(event, filled === body ? undefined : filled, task);
  }

  /**
   * The body to send; undefined for a request without the prompt, which is let through, and for a second one with it,
   * which is refused.
   */
  private takePrompt(
    rule: CaptureFit['rule'],
    event: PausedRequest,
    body: string,
    task: CaptureTask,
  ): string | undefined {
    const { isRequested } = this.run;
    const filled = outgoingBody(body, task, this.placeholder, isRequested, (text) => this.textsOf(text));
    if (filled !== undefined && !isRequested) {
      return filled;
    }
    this.notes.note(rule, filled === undefined ? 'without-prompt' : 'repeated', event.request);
    if (filled === undefined) {
      this.gate.letThrough(event);
    } else {
      this.gate.refuse(event);
    }
    return undefined;
  }

  /** Does it at once; what fails in it ends the run, and leaves the page no request that waits for ever. */
  private async orRefuse(event: PausedRequest, work: () => unknown): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.gate.refuse(event);
      this.run.fail(error);
    }
  }

  private async passResponse(event: PausedRequest): Promise<void> {
    if (this.task && this.run.isRequested && this.matchesPrompt(event.request)) {
      await this.checkResponse(event);
    } else {
      await this.onResponse(event);
    }
    this.gate.letThrough(event);
  }

  /** Ends the run if the site refuses the request with the prompt, where the answer comes by another request. */
  private async checkResponse(event: PausedRequest): Promise<void> {
    const response = await this.gate.response(event, false);
    const error = response && findRefusal(response, this.options.signs, this.options.clock.now());
    if (error) {
      this.run.fail(error);
    } else {
      this.conversation.answered(response?.body ?? '');
      this.run.step(() => this.onConversation());
    }
  }

  /** The id of the conversation may be known by now. */
  protected onConversation(): void {
    // Only some hold records back.
  }
}

function describeFailure(error: unknown): string {
  return error instanceof UpstreamError ? `${error.fault}: ${error.message}` : 'It failed.';
}
