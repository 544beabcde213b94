import { type RecipeStep } from '../recipe/recipe-step.js';
import { type Refusal } from '../recipe/refusal.js';
import { type PageGuard } from './page-guard.js';

/**
 * Use of a request or socket that a capture rule of the recipe matches: `taken` is the prompt's or the answer's own,
 * `followed` one that it may share. The others go on without the driver, or are refused (`repeated`).
 */
export type CaptureUse = 'taken' | 'followed' | 'without-prompt' | 'repeated' | 'other-conversation';

export interface CaptureFit {
  /** Key under `capture` of the rule that fits. */
  readonly rule: 'request' | 'promptRequest';
  readonly use: CaptureUse;
  /** Of HTTP, or `WebSocket`. */
  readonly method: string;
  readonly url: string;
}

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
  captureFits(fit: CaptureFit): void;
  /**
   * The captured response began.
   * @param headers names in lower case
   * @param isAnswer whether it is one by its status and type
   */
  answerHead(status: number, headers: Readonly<Record<string, string>>, isAnswer: boolean): void;
  /** @param isOwn whether the driver reads it: it is neither of another conversation nor repeated nor unreadable */
  answerRecord(data: string, event: string, isOwn: boolean): void;
  /** The response was no answer. */
  answerRefused(refusal: Refusal): void;
}
