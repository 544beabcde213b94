import { commonLength, endsInHalfPair } from './surrogate-pairs.js';

/** Turns the texts of an upstream into pieces that add up to the answer. */
export interface TextDelta {
  /** The new part of the text, possibly empty. */
  push(text: string): string;
  /** Ends the answer; the text still held back. */
  end(): string;
}

/**
 * For cumulative upstreams, where each event carries the whole text so far: passes on what was added. The half of a
 * surrogate pair at the end of a snapshot waits for its other half.
 *
 * Text passed on cannot be taken back. Where a snapshot changes it (`revisions` counts these), everything from the
 * first difference is passed on, so that nothing of the final text is missing; an older snapshot passes on nothing.
 */
export class SnapshotDelta implements TextDelta {
  private passedOn = '';
  private half = '';
  private revisionCount = 0;

  /** Number of snapshots that changed text already passed on. */
  get revisions(): number {
    return this.revisionCount;
  }

  push(snapshot: string): string {
    this.half = endsInHalfPair(snapshot) ? snapshot.slice(-1) : '';
    const whole = this.half === '' ? snapshot : snapshot.slice(0, -1);
    const { passedOn } = this;
    if (passedOn.startsWith(whole)) {
      return '';
    }
    this.passedOn = whole;
    if (whole.startsWith(passedOn)) {
      return whole.slice(passedOn.length);
    }
    this.revisionCount++;
    return whole.slice(commonLength(passedOn, whole));
  }

  end(): string {
    const { half } = this;
    this.half = '';
    return half;
  }
}

/** Number of nested pieces from which on an upstream counts as cumulative. */
const MIN_SNAPSHOTS = 3;
/** Length that the last of them must have, unless the answer is over. */
const MIN_CHARACTERS = 16;

/**
 * For upstreams that should send deltas, though some send snapshots. While every piece begins with the whole piece before it,
 * the pieces after the first are held back until the kind is certain: three or more nested pieces and 16 characters (or
 * the end of the answer) mean snapshots; anything else, deltas. Deltas are usually decided at the second piece, and cost
 * nothing after it.
 */
export class AppendDelta implements TextDelta {
  /** All pieces while undecided, of which only the first was passed on; undefined afterwards. */
  private pieces: string[] | undefined = [];
  private snapshots: SnapshotDelta | undefined;

  push(text: string): string {
    if (this.snapshots) {
      return this.snapshots.push(text);
    }
    const { pieces } = this;
    if (pieces === undefined || text === '') {
      return text;
    }
    const last = pieces.at(-1);
    pieces.push(text);
    if (last === undefined) {
      return text;
    }
    if (text.length === last.length || !text.startsWith(last)) {
      return this.decide(false);
    }
    return pieces.length >= MIN_SNAPSHOTS && text.trim().length >= MIN_CHARACTERS ? this.decide(true) : '';
  }

  end(): string {
    const pending = this.pieces ? this.decide(this.pieces.length >= MIN_SNAPSHOTS) : '';
    return pending + (this.snapshots?.end() ?? '');
  }

  private decide(isCumulative: boolean): string {
    const [first = '', ...waiting] = this.pieces ?? [];
    this.pieces = undefined;
    if (!isCumulative) {
      return waiting.join('');
    }
    this.snapshots = new SnapshotDelta();
    this.snapshots.push(first);
    return this.snapshots.push(waiting.at(-1) ?? '');
  }
}
