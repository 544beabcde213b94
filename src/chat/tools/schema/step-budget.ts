/** Steps for a member, item or name that is looked at, and for a character that is read; one takes some nanoseconds. */
export const MEMBER_STEPS = 64;
export const CHARACTER_STEPS = 4;

/** Counts steps of work whose amount a caller chooses, up to a limit. */
export class StepBudget {
  constructor(private stepsLeft: number) {}

  /** @returns whether there were as many; if not, none is left */
  take(steps: number): boolean {
    this.stepsLeft -= steps;
    return this.stepsLeft >= 0;
  }

  /** @throws RangeError if more steps are taken than there are */
  spend(steps: number): void {
    if (!this.take(steps)) {
      throw new RangeError('Too many steps.');
    }
  }
}
