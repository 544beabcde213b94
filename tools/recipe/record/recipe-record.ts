import { setTimeout as pause } from 'node:timers/promises';
import { type CDPSession, type Page } from 'puppeteer';
import { type Settings } from '../../../src/common/config/settings.js';
import { type Clock } from '../../../src/common/time/clock.js';
import { type LaunchedBrowser } from '../../../src/upstream/web/browser/launched-browser.js';
import { parseRecipe } from '../../../src/upstream/web/recipe/recipe-loader.js';
import { NetworkWatch } from '../network-watch.js';
import { shownText, shownUrl } from '../shown-url.js';
import { withBrowser } from '../tool-browser.js';
import {
  type AnswerCandidate,
  answerCandidates,
  type AnswerChoice,
  carries,
  chooseAnswer,
} from './answer-choice.js';
import { ACTION_FUNCTION, ACTION_SCRIPT, type ActionReport } from './page/action-report.js';
import { lookScript, type PageLook } from './page/look-at-page.js';
import { PageLooks } from './page-looks.js';
import { draftRecipe, type RecipeDraft } from './recipe-draft.js';
import { readActions } from './recorded-chat.js';
import { RobotError, SiteRobot } from './site-robot.js';

export interface RecipeRecordOptions {
  readonly url: string;
  /** `user` and `password`, for a recording without a person; never printed. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly prompt: string;
  /** Environment of a display, on which a person then logs in and chats; without it the robot does. */
  readonly display?: Readonly<Record<string, string>> | undefined;
  /** Resolves when the person reports the end of the recording; closing the page ends it, too. */
  readonly whenDone?: Promise<void>;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

/** The recording holds too little for a recipe. */
export class NothingRecordedError extends Error {
  override name = 'NothingRecordedError';
}

const WORLD = 'recorder';
const POLL_MS = 200;
const QUIET_MS = 2000;
const ANSWER_MS = 60_000;
const OPEN_MS = 30_000;

/** Records a login and one prompt on a site, by a person or by a robot, and drafts a recipe from them. */
export class RecipeRecord {
  private readonly actions: ActionReport[] = [];
  private readonly network = new NetworkWatch({ readsAnswers: true });
  private readonly looks = new PageLooks();

  constructor(private readonly options: RecipeRecordOptions) {}

  /** Rejects with NothingRecordedError or RobotError if there is nothing to make a recipe of. */
  async run(): Promise<RecipeDraft> {
    const { settings, clock, display } = this.options;
    await withBrowser({ settings, clock, display, rules: { allowedOrigins: [] } }, (launched) =>
      this.record(launched),
    );
    return this.draft();
  }

  private async record(launched: LaunchedBrowser): Promise<void> {
    const { url, display, print, signal } = this.options;
    const context = await launched.browser.createBrowserContext();
    const page = await context.newPage();
    page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
    // The browser handles messages in order: both are attached before the page navigates.
    await Promise.all([this.network.attach(page), this.watchActions(page)]);
    await page.goto(url, { waitUntil: 'domcontentloaded', timeout: OPEN_MS, signal });
    print(`✓ opened ${shownUrl(page.url())}`);
    if (display) {
      await this.person(page, launched.gone);
    } else {
      await this.robot(page);
    }
  }

  private async person(page: Page, gone: AbortSignal): Promise<void> {
    const { print, whenDone, signal } = this.options;
    print('· log in, send one message, wait for its answer; then press Enter here, or close the window');
    const closed = new Promise<void>((resolve) => {
      page.once('close', () => resolve());
      gone.addEventListener('abort', () => resolve(), { once: true });
    });
    const over = Promise.race([closed, ...(whenDone ? [whenDone] : [])]).then(() => true);
    // Read all along, since the page's text is lost with its window.
    while (!(await Promise.race([over, pause(POLL_MS, false)]))) {
      signal.throwIfAborted();
      await this.readPage(page);
    }
    await this.readPage(page);
  }

  private async robot(page: Page): Promise<void> {
    const { credentials, prompt, print, signal } = this.options;
    const robot = new SiteRobot(page, signal, print);
    await robot.logIn(credentials);
    await this.readPage(page);
    try {
      await robot.ask(prompt, () => this.network.requests.some((request) => carries(request, prompt)));
    } catch (error) {
      if (!(error instanceof RobotError)) {
        throw error;
      }
      print(`✗ ${error.message}`);
      return;
    }
    await this.answered(page);
  }

  /** Waits until an answer has begun and nothing more has come for 2 s, a minute at most. */
  private async answered(page: Page): Promise<void> {
    const { clock, signal } = this.options;
    const start = clock.monotonic();
    const count = (): number => this.network.requests.reduce((sum, { reads }) => sum + reads, 0);
    let seen = count();
    let changedAt = start;
    let hasAnswer = false;
    while (clock.monotonic() - start < ANSWER_MS) {
      await pause(POLL_MS, undefined, { signal });
      await this.readPage(page);
      const now = count();
      if (now !== seen) {
        [seen, changedAt, hasAnswer] = [now, clock.monotonic(), true];
      }
      if (hasAnswer && clock.monotonic() - changedAt > QUIET_MS) {
        return;
      }
    }
  }

  private async watchActions(page: Page): Promise<void> {
    const session: CDPSession = await page.createCDPSession();
    session.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name === ACTION_FUNCTION) {
        const action = JSON.parse(payload) as ActionReport;
        this.actions.push(action);
        if (action.kind === 'input') {
          this.looks.input();
        }
      }
    });
    await session.send('Runtime.enable');
    await session.send('Runtime.addBinding', { name: ACTION_FUNCTION, executionContextName: WORLD });
    await session.send('Page.enable');
    await session.send('Page.addScriptToEvaluateOnNewDocument', {
      source: ACTION_SCRIPT,
      worldName: WORLD,
    });
  }

  private async readPage(page: Page): Promise<void> {
    const prompt = this.actions.findLast(({ kind }) => kind === 'input')?.value ?? '';
    const script = lookScript(prompt, this.looks.linesBefore);
    const look = (await page.evaluate(script).catch(() => undefined)) as PageLook | undefined;
    if (look) {
      this.looks.add(look);
    }
  }

  private draft(): RecipeDraft {
    const { requests } = this.network;
    const chat =
      readActions(this.actions, (text) => requests.some((request) => carries(request, text))) ??
      // What the page sends may be unreadable.
      readActions(this.actions, (text) => text.trim() === this.options.prompt);
    const candidates = answerCandidates(requests, this.looks.newText, chat?.prompt ?? this.options.prompt);
    this.tellStreams(candidates);
    const choice = chat && chooseAnswer(candidates, requests, chat.prompt);
    if (!chat) {
      throw new NothingRecordedError(
        'No request went out with a text that was put in. There is nothing to write a recipe of.',
      );
    }
    const draft = draftRecipe(chat, this.readable(choice), requests, this.looks.place);
    parseRecipe(draft.recipe, 'draft');
    return draft;
  }

  /** Undefined where only the page shows the answer. */
  private readable(choice: AnswerChoice | undefined): AnswerChoice | undefined {
    const { print } = this.options;
    if (!choice) {
      print('✗ no answer to the prompt was seen among the requests: the draft reads the page');
      return undefined;
    }
    const { request, guess } = choice.answer;
    print(`✓ the answer is that of ${shownUrl(request.facts.url)}`);
    print(`  its text: ${shownText(guess.text)}`);
    if (guess.found === 0 && this.looks.place.answer !== undefined) {
      print('✗ it is not what the page shows: the draft reads the page');
      return undefined;
    }
    if (guess.isMarkup) {
      print('✗ it comes as HTML: the draft reads the page');
      return undefined;
    }
    return choice;
  }

  private tellStreams(candidates: readonly AnswerCandidate[]): void {
    const streams = candidates.filter(({ isStream }) => isStream);
    const binary = this.network.requests.filter(({ hasBinaryMessages }) => hasBinaryMessages);
    for (const { facts } of binary) {
      this.options.print(`· WebSocket ${shownUrl(facts.url)}: binary frames, which cannot be read`);
    }
    if (streams.length === 0 && binary.length === 0) {
      this.options.print('· no request was answered by a stream');
    }
    for (const { request, format, isSocketIo } of streams) {
      const { facts, contentType, text, messages } = request;
      const way = facts.type === 'WebSocket' || facts.type === 'EventSource' ? facts.type : facts.method;
      const start = messages[0]?.data ?? text;
      this.options.print(
        `· stream: ${way} ${shownUrl(facts.url)}, ${isSocketIo ? 'socket.io' : format}, ${contentType || 'no content type'}`,
      );
      this.options.print(`  begins: ${shownText(start, 100)}`);
    }
  }
}
