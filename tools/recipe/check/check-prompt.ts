import { FlowValve } from '../../../src/upstream/flow-gate.js';
import { UnavailableError } from '../../../src/upstream/upstream.errors.js';
import {
  type FinishReason,
  type UpstreamEvent,
  type UpstreamRequest,
} from '../../../src/upstream/upstream-driver.js';
import { type ChatPage } from '../../../src/upstream/web/conversation/chat-page.js';
import { Conversation } from '../../../src/upstream/web/conversation/conversation.js';
import { OWN_FRAGMENT } from '../../../src/upstream/web/page/page-traffic.js';
import { type RequestMatch } from '../../../src/upstream/web/recipe/capture-rules.js';
import { fillTemplate, type TemplateValues } from '../../../src/upstream/web/recipe/recipe-template.js';
import { compileUrlPattern } from '../../../src/upstream/web/recipe/url-pattern.js';
import { type Site } from '../../../src/upstream/web/site.js';
import { shownText, shownUrl } from '../shown-url.js';
import { type WatchedRequest } from '../watched-request.js';
import { type CheckObserver } from './check-observer.js';
import { type StepLog } from './step-log.js';

export interface CheckQuestion {
  readonly prompt: string;
  readonly model: string;
  readonly thinking: boolean;
  readonly signal: AbortSignal;
}

/** The prompt of a check and its answer. */
export class CheckPrompt {
  /** Whether a request fitted `capture.request`. */
  isRequested = false;
  private readonly matches: readonly { path: string; rule: RequestMatch; fits: (url: string) => boolean }[];
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
    const { capture } = site.recipe;
    const match = (path: string, rule: RequestMatch | undefined): CheckPrompt['matches'] =>
      rule ? [{ path, rule, fits: compileUrlPattern(fillTemplate(rule.url, values)) }] : [];
    this.matches =
      capture.mode === 'dom'
        ? []
        : [
            ...match('capture.request', capture.request),
            ...match('capture.promptRequest', capture.promptRequest),
          ];
  }

  /** Sends the prompt and prints its answer. Rejects as the driver would. */
  async ask(page: ChatPage): Promise<void> {
    const { clock } = this.site;
    const flow = new FlowValve();
    this.log.begin();
    const conversation = new Conversation(
      page,
      this.site,
      this.request(),
      { signal: this.question.signal, flow },
      (batch) => batch.forEach((event) => this.onEvent(event)),
    );
    try {
      await conversation.hold();
      if (this.end === undefined) {
        throw new UnavailableError(
          'truncated',
          'The answer ended without what capture.answer.done asks for.',
        );
      }
      if (this.said.text === '') {
        throw new UnavailableError('empty_answer', 'The answer holds no text that the recipe finds.');
      }
    } finally {
      flow.open();
      this.tellRules();
      this.tellAnswer(clock.monotonic());
    }
  }

  /** Notes that the prompt is entered and about to be sent. */
  sending(): void {
    const { prompt } = this.site.recipe;
    const length = prompt.prefix.length + this.question.prompt.length;
    this.log.done(`prompt.input ${prompt.input}: ${prompt.method}, ${length} characters`);
    this.sentAt = this.site.clock.monotonic();
  }

  onRequest({ facts: { method, url, type } }: WatchedRequest): void {
    const isSocket = type === 'WebSocket';
    if (!this.observer.wasSent && !isSocket) {
      return;
    }
    const fitting = this.matches.find(({ rule, fits }) => rule.method === method && fits(url));
    const name = `${isSocket ? 'WebSocket' : method} ${shownUrl(url)}`;
    if (!fitting) {
      const near = this.matches.find(({ fits }) => fits(url));
      this.log.note(
        `no capture rule takes ${name}${near ? `: ${near.path}.method is ${near.rule.method}` : ''}`,
      );
      return;
    }
    if (url.includes(`#${OWN_FRAGMENT}`)) {
      this.log.note(`the gateway sends it: ${name}`);
      return;
    }
    this.isRequested ||= fitting.path === 'capture.request';
    this.log.fits(`${fitting.path} takes ${name}`);
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
      case 'toolCall':
    }
  }

  private tellRules(): void {
    const { tally } = this.observer;
    if (!tally || tally.total === 0) {
      return;
    }
    for (const { path, count } of tally.counts) {
      if (count > 0) {
        this.log.fits(`${path}: ${count} of ${tally.total} records`);
      } else {
        this.log.note(`${path}: no record`);
      }
    }
    tally.unused.forEach((record) => this.log.note(`no rule takes the record ${shownText(record, 120)}`));
    tally.unreadable.forEach((record) => this.log.note(`not JSON: ${shownText(record, 120)}`));
  }

  private tellAnswer(now: number): void {
    for (const [type, name] of [
      ['reasoning', 'reasoning'],
      ['text', 'answer'],
    ] as const) {
      const text = this.said[type];
      if (text !== '') {
        this.log.fits(`${name}, ${text.length} characters: ${shownText(text)}`);
      } else if (this.seen.has('accepted')) {
        this.log.note(`${name}: none`);
      }
    }
    if (this.end !== undefined) {
      const ms = (from: number, to: number): string => `${Math.round(to - from)} ms`;
      const first =
        this.firstAt === undefined ? 'nothing' : `the first piece after ${ms(this.sentAt, this.firstAt)}`;
      this.log.fits(`done (${this.end}): ${first}, all after ${ms(this.sentAt, now)}`);
    }
  }

  private request(): UpstreamRequest {
    const { prompt: text, model, thinking } = this.question;
    return {
      prompt: { messages: [{ role: 'user', content: text }], text },
      model,
      thinking,
      params: { temperature: 0.7, topP: 1, maxTokens: 1000, stop: [] },
    };
  }
}
