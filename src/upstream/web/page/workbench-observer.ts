import { type RecipeStep } from '../recipe/recipe-step.js';
import { type Refusal } from '../recipe/refusal.js';
import { type PageGuard } from './page-guard.js';

/**
 * Takes reports of each step of a drive, as the recipe workbench (`tools/recipe`) shows them to the author of a recipe.
 * The gateway itself sets none: every call is skipped there.
 */
export interface WorkbenchObserver {
  /** The steps of the recipe are handed over as the recipe holds them; some more are made of its other parts. */
  stepStarted(step: RecipeStep): void;
  /** @param isSkipped whether the step was optional and there was nothing to do */
  stepEnded(step: RecipeStep, isSkipped: boolean): void;
  stepFailed(step: RecipeStep, error: unknown): void;
  /** A page could not be opened. It is closed when the promise is settled. */
  pageFailed(guard: PageGuard): Promise<void>;
  /** The captured response began. Header names are in lower case. */
  answerHead(status: number, headers: Readonly<Record<string, string>>): void;
  answerRecord(data: string, event: string): void;
  /** The response was no answer. */
  answerRefused(refusal: Refusal): void;
}
