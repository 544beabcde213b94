import { Injectable } from '@nestjs/common';
import { type BackgroundRun } from './background-run.js';

/** The responses that are being made in the background. */
@Injectable()
export class BackgroundRuns {
  private readonly runs = new Map<string, BackgroundRun>();

  /** @returns undefined if there is none, or it is somebody else's */
  find(id: string, owner: string): BackgroundRun | undefined {
    const run = this.runs.get(id);
    return run?.owner === owner ? run : undefined;
  }

  /** Gives up a run, if there is one: its owner has said so on another gateway. */
  giveUp(id: string): void {
    void this.runs.get(id)?.cancel();
  }

  /** Adds a run that has begun, until it can be found in the store. */
  add(run: BackgroundRun): void {
    const { id } = run.response;
    this.runs.set(id, run);
    void run.stored.then(() => this.runs.delete(id));
  }
}
