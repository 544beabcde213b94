import { setTimeout as pause } from 'node:timers/promises';
import { type PageFrame } from '../../../common/live-page/page-visitor.js';

/** At most ten pictures a second. */
const FRAME_MS = 100;

/** Passes pictures on one at a time. Of those that come meanwhile only the newest is kept. */
export class FrameRelay {
  private newest: PageFrame | undefined;
  private isBusy = false;
  private isClosed = false;

  /** @param show a failure of it ends the relay */
  constructor(private readonly show: (frame: PageFrame) => Promise<void>) {}

  offer(frame: PageFrame): void {
    this.newest = frame;
    if (!this.isBusy && !this.isClosed) {
      this.isBusy = true;
      this.passOn().catch(() => this.close());
    }
  }

  close(): void {
    this.isClosed = true;
    this.newest = undefined;
  }

  private async passOn(): Promise<void> {
    while (this.newest) {
      const frame = this.newest;
      this.newest = undefined;
      await Promise.all([this.show(frame), pause(FRAME_MS)]);
    }
    this.isBusy = false;
  }
}
