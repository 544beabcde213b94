/** A wait that can be cut short. One at a time: another one ends it. */
export class Pause {
  private finish: ((isOver: boolean) => void) | undefined;

  /** @returns whether the time has passed; false if the wait was cut short */
  wait(ms: number): Promise<boolean> {
    this.end();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.finish?.(true), ms);
      this.finish = (isOver) => {
        clearTimeout(timer);
        this.finish = undefined;
        resolve(isOver);
      };
    });
  }

  /** Cuts the wait short, if there is one. */
  end(): void {
    this.finish?.(false);
  }
}
