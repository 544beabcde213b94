/** Does a piece of work at the end of a turn of the event loop, once for all that asked for it in the turn. */
export class OncePerTurn {
  private turnEnd: NodeJS.Immediate | undefined;
  private isStopped = false;

  constructor(private readonly work: () => void) {}

  ask(): void {
    if (!this.isStopped) {
      this.turnEnd ??= setImmediate(this.onTurnEnd);
    }
  }

  /** What was asked for is not done any more. */
  stop(): void {
    this.isStopped = true;
    clearImmediate(this.turnEnd);
  }

  private readonly onTurnEnd = (): void => {
    this.turnEnd = undefined;
    this.work();
  };
}
