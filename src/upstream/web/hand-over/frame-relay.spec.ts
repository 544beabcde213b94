import { describe, expect, it } from '@jest/globals';
import { type PageFrame } from '../../../common/live-page/page-visitor.js';
import { FrameRelay } from './frame-relay.js';

const frame = (picture: string): PageFrame => ({ picture, width: 1, height: 1 });

/** A viewer that takes a picture when the test says so. */
class SlowViewer {
  readonly seen: string[] = [];
  private taking = Promise.withResolvers<void>();
  private waiting = Promise.withResolvers<void>();

  readonly show = ({ picture }: PageFrame): Promise<void> => {
    this.seen.push(picture);
    this.waiting.resolve();
    return this.taking.promise;
  };

  /** Takes the picture, and waits for the next one. */
  async take(): Promise<void> {
    const { resolve } = this.taking;
    this.taking = Promise.withResolvers();
    this.waiting = Promise.withResolvers();
    resolve();
    await this.waiting.promise;
  }

  refuse(): void {
    this.taking.reject(new Error('gone'));
  }
}

describe('FrameRelay', () => {
  it('has one picture under way, and leaves out all but the newest meanwhile', async () => {
    const viewer = new SlowViewer();
    const relay = new FrameRelay(viewer.show);
    ['1', '2', '3', '4'].forEach((picture) => relay.offer(frame(picture)));
    expect(viewer.seen).toEqual(['1']);
    await viewer.take();
    ['5', '6'].forEach((picture) => relay.offer(frame(picture)));
    await viewer.take();
    expect(viewer.seen).toEqual(['1', '4', '6']);
    relay.close();
  });

  it('shows nothing more once it is closed, or the viewer is gone', async () => {
    const viewer = new SlowViewer();
    const relay = new FrameRelay(viewer.show);
    relay.offer(frame('1'));
    relay.offer(frame('2'));
    viewer.refuse();
    await new Promise(setImmediate);
    relay.offer(frame('3'));
    expect(viewer.seen).toEqual(['1']);
    const closed = new FrameRelay(viewer.show);
    closed.close();
    closed.offer(frame('4'));
    expect(viewer.seen).toEqual(['1']);
  });
});
