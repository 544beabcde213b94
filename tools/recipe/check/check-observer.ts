import { readingRules } from '../../../src/upstream/web/capture/reading/record-reader.js';
import { type PageGuard } from '../../../src/upstream/web/page/page-guard.js';
import { describeStep } from '../../../src/upstream/web/page/recipe-runner.js';
import { type WorkbenchObserver } from '../../../src/upstream/web/page/workbench-observer.js';
import { type RecipeStep } from '../../../src/upstream/web/recipe/recipe-step.js';
import { type Refusal } from '../../../src/upstream/web/recipe/refusal.js';
import { type SiteRecipe } from '../../../src/upstream/web/recipe/site-recipe.js';
import { stepPath } from './recipe-paths.js';
import { RuleTally } from './rule-tally.js';
import { responseSigns } from './sign-look.js';
import { type StepLog } from './step-log.js';

/** Prints the steps of a check as they happen, and keeps its progress. */
export class CheckObserver implements WorkbenchObserver {
  readonly tally: RuleTally | undefined;
  /** Path and name of the failed step. */
  failedStep: string | undefined;
  /** Paths of the recipe's signs that fitted a refusal or an error record. */
  readonly signs: string[] = [];
  wasSent = false;
  hasHead = false;
  isLoggingIn = false;

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
    this.tally = recipe.capture.mode === 'dom' ? undefined : new RuleTally(readingRules(recipe.capture));
  }

  stepStarted(step: RecipeStep): void {
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

  stepFailed(step: RecipeStep): void {
    this.failedStep = this.name(step);
  }

  pageFailed(guard: PageGuard): Promise<void> {
    return this.onPageFailed(guard);
  }

  answerHead(status: number, headers: Readonly<Record<string, string>>): void {
    this.hasHead = true;
    this.log.done(
      `the answer begins: status ${status}, ${headers['content-type'] ?? 'without a content type'}`,
    );
  }

  answerRecord(data: string, event: string): void {
    this.tally?.take(data, event);
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
