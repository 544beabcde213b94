import { type CDPSession, type Protocol } from 'puppeteer';
import { UnavailableError } from '../../../upstream.errors.js';
import { type UpstreamEvent } from '../../../upstream-driver.js';
import { type PageGuard } from '../../page/page-guard.js';
import { type DomRules } from '../../recipe/capture-rules.js';
import { parseDeepSelectors } from '../../recipe/deep-selector.js';
import { AnswerCapture, type CaptureRun, type CaptureTask, RunControl } from '../answer-capture.js';
import { checkPrompt } from '../prompt-check.js';
import { pieceEvent } from '../reading/piece-reader.js';
import { frameText } from '../socket-observer.js';
import { DEEP_QUERY_SOURCE } from './deep-query.js';
import { type DomSnapshot, SNAPSHOT_FUNCTION, watchAnswer, type WatchRules } from './dom-function.js';
import { MARKDOWN_SOURCE } from './markdown-function.js';
import { SettledText } from './settled-text.js';

const WORLD = 'gateway';
/** Pages show that they are not busy before they have painted the last of an answer, or between two parts of one. */
const QUIET_MS = 300;
/** How long a page that is loaded anew within an answer may take to show it. */
const RELOAD_MS = 10_000;
/** How often a page may change an answer at its end that grows no longer. */
const MAX_LOOKS_AT_END = 20;

/** Reads the answer off the page, as text or rebuilt as Markdown; for sites where no other capture works. */
export class DomCapture extends AnswerCapture {
  private readonly run = new RunControl();
  private readonly text: SettledText;
  private readonly reasoning: SettledText;
  private task: CaptureTask | undefined;
  private wasBusy = false;
  private wasFrameSent = false;
  /** Whether another document took the place of the one that was busy. */
  private wasReloaded = false;
  private endTimer: NodeJS.Timeout | undefined;
  private looksAtEnd = 0;
  /** The last look at the page. */
  private shown: DomSnapshot | undefined;

  private constructor(
    private readonly session: CDPSession,
    private readonly rules: DomRules,
  ) {
    super();
    this.text = new SettledText(rules.stream);
    this.reasoning = new SettledText(rules.stream);
    session.on('Runtime.executionContextsCleared', () => this.onNewDocument());
    session.on('Network.webSocketFrameSent', ({ response }) => this.onFrameSent(response));
    session.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name === SNAPSHOT_FUNCTION) {
        this.run.step(() => this.onSnapshot(JSON.parse(payload) as DomSnapshot));
      }
    });
  }

  static async attach(guard: PageGuard, rules: DomRules): Promise<DomCapture> {
    const session = await guard.page.createCDPSession();
    const capture = new DomCapture(session, rules);
    await Promise.all([
      session.send('Network.enable'),
      session.send('Runtime.enable'),
      session.send('Runtime.addBinding', { name: SNAPSHOT_FUNCTION, executionContextName: WORLD }),
    ]);
    return capture;
  }

  start(task: CaptureTask): CaptureRun {
    this.task = task;
    this.watch(false).catch((error: unknown) => this.run.fail(error));
    return this.run;
  }

  cancel(): void {
    clearTimeout(this.endTimer);
    this.run.cancel();
  }

  override get findings(): string | undefined {
    const { shown, wasBusy } = this;
    if (!wasBusy) {
      return shown?.isEarly
        ? 'What fits capture.busy showed before the prompt was sent, and did not go.'
        : 'Nothing that fits capture.busy showed.';
    }
    return shown?.text === '' && shown.reasoning === ''
      ? 'What fits capture.busy shows, but nothing new with text fits capture.answer.'
      : 'What fits capture.busy still shows.';
  }

  override get hasSentFrame(): boolean {
    return this.wasFrameSent;
  }

  private onFrameSent(frame: Protocol.Network.WebSocketFrame): void {
    if (this.task && !this.wasFrameSent) {
      this.wasFrameSent = checkPrompt(frameText(frame), this.task.prompt) !== 'missing';
    }
  }

  /** Some sites lead to the page of the conversation once it has begun. One that is left again is watched in vain. */
  private onNewDocument(): void {
    if (this.task) {
      this.wasReloaded = this.wasBusy;
      this.watch(true).catch(() => undefined);
    }
  }

  private async watch(isNewDocument: boolean): Promise<void> {
    const { frameTree } = await this.session.send('Page.getFrameTree');
    const { executionContextId } = await this.session.send('Page.createIsolatedWorld', {
      frameId: frameTree.frame.id,
      worldName: WORLD,
    });
    const { exceptionDetails } = await this.session.send('Runtime.callFunctionOn', {
      functionDeclaration: `function (rules) {\n${MARKDOWN_SOURCE}\n${DEEP_QUERY_SOURCE}\n(${watchAnswer.toString()})(rules);\n}`,
      executionContextId,
      arguments: [{ value: watchRules(this.rules, isNewDocument) }],
    });
    if (exceptionDetails) {
      const [reason] = (exceptionDetails.exception?.description ?? exceptionDetails.text).split('\n', 1);
      throw new UnavailableError('page_failed', `The answer cannot be located: ${reason}`);
    }
  }

  private onSnapshot(snapshot: DomSnapshot): void {
    const { task } = this;
    const { text, reasoning, isBusy } = snapshot;
    const isLonger = text.length > (this.shown?.text.length ?? 0);
    this.shown = snapshot;
    clearTimeout(this.endTimer);
    if (!task || (!isBusy && !this.wasBusy)) {
      return;
    }
    task.onActivity();
    const events: UpstreamEvent[] = [];
    if (!this.wasBusy) {
      this.wasBusy = true;
      this.run.markRequested();
      events.push({ type: 'accepted' });
    }
    events.push(
      ...pieceEvent('reasoning', this.reasoning.look(reasoning)),
      ...pieceEvent('text', this.text.look(text)),
    );
    if (events.length > 0) {
      task.emit(events);
    }
    this.looksAtEnd = isBusy || isLonger ? 0 : this.looksAtEnd + 1;
    const isGone = this.wasReloaded && text === '' && reasoning === '';
    if (this.looksAtEnd > MAX_LOOKS_AT_END) {
      this.finish(task, isGone);
    } else if (!isBusy) {
      const waitMs = isGone ? RELOAD_MS : QUIET_MS;
      this.endTimer = setTimeout(() => this.run.step(() => this.finish(task, isGone)), waitMs);
    }
  }

  private finish({ emit }: CaptureTask, isGone: boolean): void {
    if (isGone) {
      throw new UnavailableError('stream_reset', 'The page was loaded anew and does not show the answer.');
    }
    emit([
      ...pieceEvent('reasoning', this.reasoning.end()),
      ...pieceEvent('text', this.text.end()),
      { type: 'done', reason: 'stop' },
    ]);
    this.run.finish();
  }
}

function watchRules(
  { answer, reasoning, busy, exclude, format }: DomRules,
  isNewDocument: boolean,
): WatchRules {
  const parse = (selector = ''): WatchRules['answer'] => parseDeepSelectors(selector) ?? [];
  return {
    answer: parse(answer),
    reasoning: parse(reasoning),
    busy: parse(busy),
    exclude: exclude.join(', '),
    isMarkdown: format === 'markdown',
    isNewDocument,
  };
}
