import { FlowValve } from '../../../src/upstream/flow-gate.js';
import { UnavailableError } from '../../../src/upstream/upstream.errors.js';
import {
  type FinishReason,
  type PromptImage,
  type UpstreamEvent,
  type UpstreamRequest,
} from '../../../src/upstream/upstream-driver.js';
import { checkPrompt, withoutFrame } from '../../../src/upstream/web/capture/prompt-check.js';
import { type ChatPage } from '../../../src/upstream/web/conversation/chat-page.js';
import { Conversation } from '../../../src/upstream/web/conversation/conversation.js';
import { type TemplateValues } from '../../../src/upstream/web/recipe/recipe-template.js';
import { type Site } from '../../../src/upstream/web/site.js';
import { shownText, shownUrl } from '../shown-url.js';
import { type WatchedRequest } from '../watched-request.js';
import { type CheckObserver } from './check-observer.js';
import { RequestLook } from './request-look.js';
import { type StepLog } from './step-log.js';

export interface CheckQuestion {
  readonly prompt: string;
  readonly images: readonly PromptImage[];
  readonly model: string;
  readonly thinking: boolean;
  readonly signal: AbortSignal;
}

/** One prompt of a check and its answer. */
export class CheckPrompt {
  private readonly look: RequestLook;
  private readonly said = { text: '', reasoning: '' };
  private readonly seen = new Set<string>();
  private sentAt = 0;
  private firstAt: number | undefined;
  private end: FinishReason | undefined;

  constructor(
    private readonly question: CheckQuestion,
    private readonly site: Site,
    values: TemplateValues,
    private readonly log: StepLog,
    private readonly observer: CheckObserver,
  ) {
    this.look = new RequestLook(site.recipe.capture, values);
  }

  /** The text of the answer so far. */
  get text(): string {
    return this.said.text;
  }

  /** Key of the recipe that the prompt or its answer is waiting for. */
  get awaited(): string {
    const { capture } = this.site.recipe;
    if (capture.mode === 'dom') {
      return this.seen.has('accepted') ? 'capture.answer' : 'capture.busy';
    }
    if (!this.observer.isPromptTaken) {
      return capture.promptRequest ? 'capture.promptRequest' : 'capture.request';
    }
    return this.observer.hasSource ? 'capture.answer' : 'capture.request';
  }

  /** Sends the prompt and prints its answer. Rejects as the driver would. */
  async ask(page: ChatPage): Promise<void> {
    const flow = new FlowValve();
    this.log.begin();
    const conversation = new Conversation(
      page,
      this.site,
      this.request(),
      { signal: this.question.signal, flow },
      (batch) => batch.forEach((event) => this.onEvent(event)),
    );
    let isGood = false;
    try {
      await conversation.hold();
      await conversation.cleanUp('of the check');
      if (this.end === undefined) {
        throw new UnavailableError(
          'truncated',
          'The answer ended without what capture.answer.done asks for.',
        );
      }
      if (this.said.text === '') {
        throw new UnavailableError('empty_response', 'The answer holds no text that the recipe finds.');
      }
      isGood = true;
    } finally {
      flow.open();
      this.tellRules();
      this.tellAnswer(isGood);
    }
  }

  /** Notes that the prompt is entered and about to be sent. */
  sending(): void {
    const { prompt } = this.site.recipe;
    const length = prompt.prefix.length + this.question.prompt.length;
    const isFile = prompt.attachment !== undefined && length > prompt.attachment.above;
    const { images } = this.question;
    if (prompt.images && images.length > 0) {
      this.log.fits(`prompt.images ${prompt.images.selector}: ${images.length} attached`);
    }
    this.log.done(
      `prompt.input ${prompt.input}: ${isFile ? 'as a file' : prompt.method}, ${length} characters`,
    );
    this.sentAt = this.site.clock.monotonic();
  }

  onRequest({ facts }: WatchedRequest): void {
    if (this.observer.wasSent || facts.type === 'WebSocket') {
      const remark = this.look.remark(facts);
      if (remark !== undefined) {
        this.log.note(remark);
      }
    }
  }

  /** Names the sockets over which the prompt left, if the driver has not seen it leave. */
  tellCarriers(requests: readonly WatchedRequest[]): void {
    if (this.site.recipe.capture.mode === 'dom' || this.observer.isPromptTaken) {
      return;
    }
    for (const { facts, sentFrames } of requests) {
      const checks = sentFrames.flatMap((frame) =>
        [frame, withoutFrame(frame)].map((text) => checkPrompt(text, this.question.prompt)),
      );
      const found = checks.find((check) => check === 'complete') ?? checks.find((check) => check === 'cut');
      if (found) {
        const part = found === 'cut' ? 'a part of the prompt' : 'the prompt';
        this.log.note(`${part} left in a frame of WebSocket ${shownUrl(facts.url)}`);
      }
    }
  }

  private onEvent(event: UpstreamEvent): void {
    this.seen.add(event.type);
    switch (event.type) {
      case 'text':
      case 'reasoning':
        this.firstAt ??= this.site.clock.monotonic();
        this.said[event.type] += event.text;
        return;
      case 'done':
        this.end = event.reason;
        return;
      case 'accepted':
      case 'usage':
      case 'refusal':
      case 'toolCall':
    }
  }

  private tellRules(): void {
    const { tally } = this.observer;
    if (!tally || tally.total === 0) {
      return;
    }
    for (const { path, count } of tally.counts) {
      if (count === 0) {
        this.log.note(`${path}: no record`);
      } else if (path.startsWith('capture.answer.error')) {
        this.log.note(`${path}: ${count} of ${tally.total} records, so that the answer fails`);
      } else {
        this.log.fits(`${path}: ${count} of ${tally.total} records`);
      }
    }
    tally.unused.forEach((record) => this.log.note(`no rule takes the record ${shownText(record, 120)}`));
    tally.passedOver.forEach((record) =>
      this.log.note(`not of this answer, or a repetition: ${shownText(record, 120)}`),
    );
    tally.unreadable.forEach((record) => this.log.note(`not JSON: ${shownText(record, 120)}`));
  }

  /** @param isGood whether a caller of the gateway would get the answer */
  private tellAnswer(isGood: boolean): void {
    const tell = (line: string): void => this.log[isGood ? 'fits' : 'note'](line);
    for (const [type, name] of [
      ['reasoning', 'reasoning'],
      ['text', 'answer'],
    ] as const) {
      const text = this.said[type];
      if (text !== '') {
        tell(`${name}, ${text.length} characters: ${shownText(text)}`);
      } else if (this.seen.has('accepted')) {
        this.log.note(`${name}: none`);
      }
    }
    if (this.end !== undefined) {
      const ms = (from: number, to: number): string => `${Math.round(to - from)} ms`;
      const first =
        this.firstAt === undefined ? 'nothing' : `the first piece after ${ms(this.sentAt, this.firstAt)}`;
      tell(`done (${this.end}): ${first}, all after ${ms(this.sentAt, this.site.clock.monotonic())}`);
    }
  }

  private request(): UpstreamRequest {
    const { prompt: text, images, model, thinking } = this.question;
    return {
      prompt: { messages: [{ role: 'user', content: text }], text, images },
      model,
      thinking,
      params: { temperature: 0.7, topP: 1, maxTokens: 1000, stop: [] },
    };
  }
}
