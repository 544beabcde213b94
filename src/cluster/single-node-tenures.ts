import { EMPTY, type Observable } from 'rxjs';
import { type Tenure, type TenureChange, Tenures } from './tenures.js';

/** The tenure of a node that shares its accounts with nobody. */
export const ENDLESS: Tenure = {
  isHeld: true,
  mayCome: false,
  mayProbe: true,
  reportsUnheld: true,
  writeTerm: 0,
  nextFence: () => undefined,
  honours: () => true,
  arrived: () => undefined,
  partOf: (limit) => limit,
};

/** One gateway alone: every account is its own for ever. */
export class SingleNodeTenures extends Tenures {
  readonly changes$: Observable<TenureChange> = EMPTY;
  readonly nodes = 1;
  readonly isAway = false;

  of(): Tenure {
    return ENDLESS;
  }

  serve(): void {
    // Nobody ever asks.
  }

  want(_accountId: string): () => void {
    return () => undefined;
  }

  look(): void {
    // Nothing ever moves.
  }
}
