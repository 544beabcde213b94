import { type PageInput } from '../../common/live-page/page-visitor.js';

/**
 * Outcome of a login by hand. `logged_in`: the account is in use again; `left`: the operator closed the page; `idle`:
 * five minutes without input; `changed`: the account was changed meanwhile, e.g. disabled; `failed`: the page or the
 * browser ended, or the site did not keep the login; `stopped`: the gateway stops.
 */
export type HandOverOutcome = 'logged_in' | 'left' | 'idle' | 'changed' | 'failed' | 'stopped';

export interface HandOverEnd {
  readonly outcome: HandOverOutcome;
  /** Explanation of `failed`. */
  readonly message?: string;
  readonly durationMs: number;
}

/** One login by hand. */
export interface HandOver {
  /** Secret that allows acting in the page. */
  readonly id: string;
  /** Name of the account. */
  readonly account: string;
  /** Never rejects. */
  readonly ended: Promise<HandOverEnd>;
}

/** Does in a page what the operator does. */
export type Act = (inputs: readonly PageInput[]) => Promise<void>;

/** Reason of an abort that ends a login by hand. */
export class HandOverEnding extends Error {
  override name = 'HandOverEnding';

  constructor(readonly outcome: Exclude<HandOverOutcome, 'logged_in' | 'failed'>) {
    super(outcome);
  }
}
