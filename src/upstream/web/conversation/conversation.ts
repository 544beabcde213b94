import { setTimeout as pause } from 'node:timers/promises';
import { assertMayBegin } from '../../send-permit.js';
import { SilenceWatchdog } from '../../silence-watchdog.js';
import { UnavailableError } from '../../upstream.errors.js';
import { type SendContext, type UpstreamBatch, type UpstreamRequest } from '../../upstream-driver.js';
import { type CaptureRun } from '../capture/answer-capture.js';
import { promptAltered } from '../capture/outgoing-prompt.js';
import { describeStep, type RecipeRunner } from '../page/recipe-runner.js';
import { UnansweredRequests } from '../page/unanswered-requests.js';
import { type TemplateValues } from '../recipe/recipe-template.js';
import { type Site } from '../site.js';
import { type ChatPage } from './chat-page.js';
import { PromptDeparture } from './prompt-departure.js';
import { PromptInput } from './prompt-input.js';

/** Time from the click to the page's request, and 1 ms more for each 250 characters of the prompt. */
const SUBMIT_MS = 1000;
const SUBMIT_MS_PER_CHARACTER = 1 / 250;
/** Time for which unanswered requests of the page keep the prompt from being sent again. */
const MAX_OPEN_MS = 10_000;
/** Times that the page may take the text and send something else; once, since it may only have come alive then. */
const MAX_LOST = 2;

/** Nobody waits for a clean-up, but its page stays open until then. */
const CLEAN_UP_STEP_MS = 3000;

/** One prompt and its answer on one page. */
export class Conversation {
  private readonly runner: RecipeRunner;
  private readonly values: TemplateValues;
  private readonly prompt: string;
  private run: CaptureRun | undefined;
  private wasAccepted = false;
  private hasContent = false;
  private departure: PromptDeparture | undefined;
  /** What the page asks of the site once the answer is over. */
  private aftermath: UnansweredRequests | undefined;
  /** Last batch of an answer without any text, held back until the page was searched for the reason. */
  private emptyEnd: UpstreamBatch | undefined;

  constructor(
    private readonly page: ChatPage,
    private readonly site: Site,
    private readonly request: UpstreamRequest,
    private readonly context: SendContext,
    private readonly emit: (batch: UpstreamBatch) => void,
  ) {
    this.prompt = site.recipe.prompt.prefix + request.prompt.text;
    this.values = { model: request.model, prompt: this.prompt };
    this.runner = page.runner(context.signal, this.values);
  }

  /** Whether the site has taken the prompt. */
  get isAccepted(): boolean {
    return this.wasAccepted;
  }

  /** Resolves when the answer is over. Rejects with an UpstreamError, or with the caller's abort reason. */
  async hold(): Promise<void> {
    const { recipe } = this.site;
    this.page.traffic.requestId = this.context.requestId;
    await this.runner.run(recipe.model);
    await this.runner.run(this.request.thinking ? recipe.thinking.on : recipe.thinking.off);
    await this.converse();
  }

  /** Ends the site's work on an answer that nobody waits for, as its recipe says. Never throws. */
  async stop(): Promise<void> {
    const { stop, stopTimeoutMs } = this.site.recipe;
    this.page.capture.cancel();
    if (this.run?.isRequested && stop.length > 0) {
      this.aftermath ??= new UnansweredRequests(this.page.guard.page);
      await this.page.guard
        .run(this.page.runner().run(stop), { timeoutMs: stopTimeoutMs, what: 'stop' })
        .catch(() => undefined);
    }
  }

  /**
   * Does what is to be done once the answer is over or given up, e.g. deletes the conversation. Never rejects.
   * @param owner name of the account, for the log
   */
  async cleanUp(owner: string): Promise<void> {
    const { guard } = this.page;
    const steps = this.run?.isRequested ? this.site.recipe.cleanUp : [];
    const runner = this.page.runner(undefined, this.values);
    if (steps.length > 0) {
      this.aftermath ??= new UnansweredRequests(guard.page);
    }
    try {
      for (const step of steps) {
        await guard.run(runner.run([step]), { timeoutMs: CLEAN_UP_STEP_MS, what: describeStep(step) });
      }
    } catch (error) {
      this.site.log(`A clean-up of the account ${owner} failed: ${(error as Error).message}`, 'warn');
    }
    await this.endAftermath();
  }

  /** Waits for what `stop` and the clean-up have had the page ask for, as long as for a step. */
  private async endAftermath(): Promise<void> {
    if (this.aftermath) {
      const { guard } = this.page;
      await guard
        .run(this.aftermath.answered(), { timeoutMs: CLEAN_UP_STEP_MS, what: 'clean up' })
        .catch(() => undefined);
      this.aftermath.stop();
    }
  }

  /** Sends the prompt and waits until its answer is over, or the site has been silent for too long. */
  private async converse(): Promise<void> {
    const { guard } = this.page;
    const { signal } = this.context;
    const silence = Promise.withResolvers<never>();
    const watchdog = new SilenceWatchdog(this.context.flow, () => silence.reject(this.silenceError()));
    // A sign of life for who watches the driver as a whole, who can say less of the silence and has the same limit.
    this.emit([]);
    watchdog.start(this.site.settings.UPSTREAM_FIRST_BYTE_MS);
    const entered = { text: this.prompt, images: this.request.prompt.images ?? [] };
    const input = new PromptInput(
      guard,
      this.site.recipe.prompt,
      entered,
      this.page.capture.placeholder,
      signal,
    );
    const run = this.startCapture(input, watchdog);
    this.run = run;
    try {
      const answered = this.submit(input, run).then(() => run.finished);
      await guard.run(Promise.race([answered, silence.promise]), { signal, what: 'answer' });
    } finally {
      watchdog.stop();
      this.departure?.stop();
    }
    if (this.emptyEnd) {
      await this.throwIfShown();
      this.emit(this.emptyEnd);
    }
  }

  private startCapture(input: PromptInput, watchdog: SilenceWatchdog): CaptureRun {
    return this.page.capture.start({
      prompt: this.prompt,
      isPromptInBody: !input.isAttachment,
      earlier: this.page.earlier,
      flow: this.context.flow,
      emit: (batch) => this.passOn(batch, watchdog),
      onActivity: () => watchdog.touch(),
    });
  }

  private passOn(batch: UpstreamBatch, watchdog: SilenceWatchdog): void {
    this.wasAccepted = true;
    if (!this.hasContent && batch.some(({ type }) => type === 'text' || type === 'reasoning')) {
      this.hasContent = true;
      // Before the batch is passed on: who watches the driver as a whole begins then, and can say less of the silence.
      watchdog.start(this.site.settings.UPSTREAM_IDLE_MS);
    }
    if (!this.hasContent && batch.at(-1)?.type === 'done') {
      this.emptyEnd = batch;
    } else {
      this.emit(batch);
    }
  }

  /** Sends the prompt. Once it is out, it does not matter any more what becomes of the click. */
  private async submit(input: PromptInput, run: CaptureRun): Promise<void> {
    const entered = this.enter(input, run).catch((error: unknown) => {
      if (!run.isRequested) {
        throw error;
      }
    });
    await Promise.race([entered, run.requested]);
  }

  /** Enters the prompt and sends it, repeatedly if the page's scripts were not running yet. */
  private async enter(input: PromptInput, run: CaptureRun): Promise<void> {
    const { capture } = this.page;
    let lost = 0;
    while (!run.isRequested) {
      const others = capture.otherRequests;
      await input.ensure();
      this.departure ??= new PromptDeparture(this.page.guard, input.text);
      assertMayBegin(this.context.permit);
      await this.runner.run(this.site.recipe.send);
      await this.untilSent(input, run, this.departure);
      const mayBeOut = capture.otherRequests > others && !(await input.isFilled());
      lost += mayBeOut ? 1 : 0;
      if (lost === MAX_LOST) {
        throw promptAltered();
      }
    }
  }

  /**
   * Waits until the page has sent the prompt, or has evidently not. The capture lets one request through, whatever the
   * page does; but a second click may stop the first one's answer, and the prompt may leave in a request that the
   * recipe does not know.
   */
  private async untilSent(input: PromptInput, run: CaptureRun, departure: PromptDeparture): Promise<void> {
    const { clock } = this.site;
    const { signal } = this.context;
    const clickedAt = clock.monotonic();
    const isUnderWay = async (): Promise<boolean> =>
      (departure.isOpen && clock.monotonic() - clickedAt < MAX_OPEN_MS) ||
      ((this.page.capture.hasSentFrame || (await departure.hasLeft())) && !(await input.isFilled()));
    do {
      const waiting = new AbortController();
      const patienceMs = SUBMIT_MS + this.prompt.length * SUBMIT_MS_PER_CHARACTER;
      await Promise.race([
        run.requested,
        pause(patienceMs, undefined, { signal: AbortSignal.any([signal, waiting.signal]) }).catch(
          () => undefined,
        ),
      ]).finally(() => waiting.abort());
      signal.throwIfAborted();
      this.page.guard.gone.throwIfAborted();
      if (run.isRequested) {
        return;
      }
      await this.throwIfShown();
      // A banner may vanish by itself between the look and the click.
      await this.page.dismiss(signal).catch(() => undefined);
    } while (await isUnderWay());
  }

  /** Rejects with the error that the page shows now, if it shows one. */
  private async throwIfShown(): Promise<void> {
    const error = await this.page.signs.error();
    if (error) {
      throw error;
    }
  }

  private silenceError(): UnavailableError {
    const { findings } = this.page.capture;
    const explained = (message: string): string => (findings ? `${message} ${findings}` : message);
    if (this.hasContent) {
      return new UnavailableError('stream_idle', explained('The site fell silent within its answer.'));
    }
    const carrier = this.run?.isRequested ? undefined : this.departure?.carrier;
    const message =
      carrier === undefined
        ? 'The site did not begin to answer in time.'
        : `The page sent the prompt with ${carrier}, and no answer that the recipe captures came.`;
    return new UnavailableError('first_byte_timeout', explained(message));
  }
}
