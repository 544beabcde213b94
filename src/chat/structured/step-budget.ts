/** Steps for a member, item or name that is looked at, and for a character that is read; one takes some nanoseconds. */
export const MEMBER_STEPS = 64;
export const CHARACTER_STEPS = 4;

/** Counts steps of work whose amount a caller chooses, up to a limit. */
export class StepBudget {
  constructor(private stepsLeft: number) {}

  /** @throws RangeError if more steps are taken than there are */
  spend(steps: number): void {
    this.stepsLeft -= steps;
    if (this.stepsLeft < 0) {
      throw new RangeError('Too many steps.');
    }
  }
}
