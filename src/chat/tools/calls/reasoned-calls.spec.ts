import { describe, expect, it } from '@jest/globals';
import { DeltaRecorder } from '../../../../test/support/watch/delta-recorder.js';
import { Stage } from '../../completion/stages/stage.js';
import { ReasonedCalls } from './reasoned-calls.js';

/** Collects what is read of the reasoning. */
class Reader extends Stage {
  readonly report = { calls: [], notes: [] };
  readonly read: string[] = [];

  override text(text: string): void {
    this.read.push(text);
  }
}

/** What is read of reasoning that comes in these pieces. */
function readOf(pieces: readonly string[]): string {
  const reader = new Reader(new DeltaRecorder());
  const reasoned = new ReasonedCalls(() => reader);
  pieces.forEach((piece) => reasoned.add(piece));
  reasoned.passTo(new DeltaRecorder());
  return reader.read.join('');
}

describe('ReasonedCalls', () => {
  it('reads all of short reasoning', () => {
    expect(readOf(['I ', 'look.'])).toBe('I look.');
  });

  it.each([1, 1000, 100_000, 1_000_000])('reads the end of long reasoning in pieces of %d', (length) => {
    const text = `{"name": "f"}${'x'.repeat(999_980)}the end`;
    const pieces = Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
      text.slice(index * length, (index + 1) * length),
    );
    const read = readOf(pieces);
    expect(read).toMatch(/^… x+the end$/);
    expect(read.length).toBeGreaterThan(65_000);
    expect(read.length).toBeLessThan(135_000);
  });
});
