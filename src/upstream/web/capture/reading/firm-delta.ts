import { SnapshotDelta, type TextDelta } from '../../../decoding/snapshot-delta.js';
import { UnavailableError } from '../../../upstream.errors.js';

/**
 * For sites that send the whole text so far. Callers cannot be told that a text was changed, so that one which is ends
 * the answer: `push` throws UnavailableError (`garbled_answer`). An older text is taken for a late one and passed over.
 */
export class FirmDelta implements TextDelta {
  private readonly delta = new SnapshotDelta();

  push(snapshot: string): string {
    const added = this.delta.push(snapshot);
    if (this.delta.revisions > 0) {
      throw new UnavailableError('garbled_answer', 'The site changed text that was already passed on.');
    }
    return added;
  }

  end(): string {
    return this.delta.end();
  }
}
