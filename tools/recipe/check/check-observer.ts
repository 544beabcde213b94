import { readingRules } from '../../../src/upstream/web/capture/reading/record-reader.js';
import { type PageGuard } from '../../../src/upstream/web/page/page-guard.js';
import { describeStep } from '../../../src/upstream/web/page/recipe-runner.js';
import {
  type CaptureFit,
  type CaptureUse,
  type WorkbenchObserver,
} from '../../../src/upstream/web/page/workbench-observer.js';
import { type RecipeStep } from '../../../src/upstream/web/recipe/recipe-step.js';
import { type Refusal } from '../../../src/upstream/web/recipe/refusal.js';
import { type SiteRecipe } from '../../../src/upstream/web/recipe/site-recipe.js';
import { shownUrl } from '../shown-url.js';
import { stepLists, stepPath } from './recipe-paths.js';
import { RuleTally } from './rule-tally.js';
import { responseSigns } from './sign-look.js';
import { type StepLog } from './step-log.js';

const UNUSED: Readonly<Record<Exclude<CaptureUse, 'taken' | 'followed'>, string>> = {
  'without-prompt': 'it does not hold the prompt',
  repeated: 'it is refused, since it repeats the one before',
  'other-conversation': 'it is not of the prompt’s conversation',
};

/** Prints the steps of a check as they happen, and keeps its progress. */
export class CheckObserver implements WorkbenchObserver {
  tally: RuleTally | undefined;
  /** Paths of the recipe's signs that fitted a refusal or an error record. */
  readonly signs: string[] = [];
  wasSent = false;
  isLoggingIn = false;
  /** Whether the driver has seen the prompt leave. */
  isPromptTaken = false;
  /** Whether the driver has something to read the answer from. */
  hasSource = false;
  private failures: { readonly step: RecipeStep; readonly error: unknown }[] = [];
  private readonly tried = new Set<RecipeStep>();
  private readonly told = new Set<string>();

  /**
   * @param onSend called when the prompt is entered and about to be sent
   * @param onPageFailed called with a page that is about to be closed
   */
  constructor(
    private readonly recipe: SiteRecipe,
    private readonly log: StepLog,
    private readonly onSend: () => void,
    private readonly onPageFailed: (guard: PageGuard) => Promise<void>,
  ) {
    this.begin();
  }

  /** Keys of the recipe with steps of which none was run. */
  get untried(): readonly string[] {
    return stepLists(this.recipe).flatMap(([path, steps]) =>
      steps.length > 0 && !steps.some((step) => this.tried.has(step)) ? [path] : [],
    );
  }

  /** Forgets what is about the prompt before. */
  begin(): void {
    const { capture } = this.recipe;
    this.tally = capture.mode === 'dom' ? undefined : new RuleTally(readingRules(capture));
    this.wasSent = false;
    this.isPromptTaken = false;
    this.hasSource = false;
    this.failures = [];
    this.told.clear();
  }

  /** Path and name of the step that ended the check with this error; undefined if none did. */
  failedStep(error: unknown): string | undefined {
    const failure = this.failures.find((one) => one.error === error);
    return failure && this.name(failure.step);
  }

  /** Notes the steps that failed and are none the less no reason for the outcome. */
  tellPassedOver(outcome?: unknown): void {
    for (const { step, error } of this.failures) {
      if (error !== outcome) {
        this.log.note(`${this.name(step)}: failed, which is passed over: ${messageOf(error)}`);
      }
    }
    this.failures = [];
  }

  stepStarted(step: RecipeStep): void {
    this.tried.add(step);
    if (this.recipe.login.steps.includes(step)) {
      this.isLoggingIn = true;
    }
    if (!this.wasSent && step === this.recipe.send[0]) {
      this.wasSent = true;
      this.onSend();
    }
  }

  stepEnded(step: RecipeStep, isSkipped: boolean): void {
    if (isSkipped) {
      this.log.note(`${this.name(step)}: not there, and optional`);
    } else {
      this.log.done(this.name(step));
    }
  }

  stepFailed(step: RecipeStep, error: unknown): void {
    this.failures.push({ step, error });
  }

  pageFailed(guard: PageGuard): Promise<void> {
    return this.onPageFailed(guard);
  }

  captureFits({ rule, use, method, url }: CaptureFit): void {
    const { capture } = this.recipe;
    const hasPromptRequest = capture.mode !== 'dom' && capture.promptRequest !== undefined;
    // Before its upgrade, a recipe for socket.io sends prompts to the address of `request`, too.
    const path = `capture.${hasPromptRequest ? rule : 'request'}`;
    const isPrompt = use === 'taken' && (rule === 'promptRequest' || !hasPromptRequest);
    this.isPromptTaken ||= isPrompt;
    this.hasSource ||= rule === 'request' && (use === 'taken' || use === 'followed');
    const name = `${method} ${shownUrl(url)}`;
    const line = describeFit(path, use, name, isPrompt && method === 'WebSocket');
    // Polls repeat their requests, which differ in what keeps them from caches.
    const key = line.split('?', 1)[0] ?? '';
    if (!this.told.has(key)) {
      this.told.add(key);
      this.log[use === 'taken' || use === 'followed' ? 'fits' : 'note'](line);
    }
  }

  answerHead(status: number, headers: Readonly<Record<string, string>>, isAnswer: boolean): void {
    const facts = `status ${status}, ${headers['content-type'] ?? 'without a content type'}`;
    if (isAnswer) {
      this.log.done(`the answer begins: ${facts}`);
    } else {
      this.log.note(`no answer by its head: ${facts}`);
    }
  }

  answerRecord(data: string, event: string, isOwn: boolean): void {
    this.tally?.take(data, event, isOwn);
    if (this.tally?.counts.some(({ path, count }) => path.startsWith('capture.answer.error') && count > 0)) {
      // No sign that asks for a status fits the status 0.
      this.signs.push(...responseSigns(this.recipe.signs, { status: 0, headers: {}, body: data }));
    }
  }

  answerRefused(refusal: Refusal): void {
    this.signs.push(...responseSigns(this.recipe.signs, refusal));
  }

  private name(step: RecipeStep): string {
    return `${stepPath(this.recipe, step)} ${describeStep(step)}`;
  }
}

function describeFit(path: string, use: CaptureUse, name: string, isFrame: boolean): string {
  if (use === 'taken') {
    return isFrame ? `${path}: the prompt leaves in a frame of ${name}` : `${path} takes ${name}`;
  }
  return use === 'followed' ? `${path} follows ${name}` : `${path} fits ${name}, but ${UNUSED[use]}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
