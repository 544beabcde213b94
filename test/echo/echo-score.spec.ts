import { describe, expect, it } from '@jest/globals';
import { ECHOES, LONG_PREFACE } from './echoes.js';
import { HARMLESS } from './harmless.js';
import { type LabelledReply } from './labelled-reply.js';
import { type Outcome, runReply } from './run-reply.js';

/** Sizes of pieces: as small as can be, as usual, and all at once. */
const WHOLE = Number.MAX_SAFE_INTEGER;
const SIZES = [1, 7, WHOLE];

/**
 * The guard on labelled answers, most of them variations of few, and none of them what it was built from alone:
 * `results` are recorded or written, the answers are what models make of them.
 */
describe('the echo guard', () => {
  it('tells echoes from other answers', () => {
    const caught = ECHOES.filter((reply) => outcomeOf(reply).match);
    const wronglyCaught = HARMLESS.filter((reply) => outcomeOf(reply).match);
    const precision = caught.length / (caught.length + wronglyCaught.length);
    const recall = caught.length / ECHOES.length;
    expect({
      missed: names(ECHOES.filter((reply) => !caught.includes(reply))),
      wronglyCaught: names(wronglyCaught),
    }).toEqual({
      // Numbers set off by space eat the bar of a table row, as if it belonged to them.
      missed: ['with line numbers and spaces: markdown'],
      wronglyCaught: [],
    });
    expect(precision).toBeGreaterThanOrEqual(0.98);
    expect(recall).toBeGreaterThanOrEqual(0.97);
    // Enough of the harmless answers are judged at all.
    expect(HARMLESS.filter((reply) => outcomeOf(reply).held.length > 0).length).toBeGreaterThan(100);
  });

  it('says the same however the answer arrives', () => {
    for (const reply of [...ECHOES, ...HARMLESS]) {
      const whole = outcomeOf(reply);
      for (const size of SIZES) {
        const outcome = outcomeOf(reply, size);
        expect({ name: nameOf(reply), size, match: outcome.match }).toEqual({
          name: nameOf(reply),
          size,
          match: whole.match,
        });
      }
    }
  });

  it('lets nothing of an echo through, and all of other answers', () => {
    const leaks = ECHOES.filter((reply) => outcomeOf(reply).match).flatMap((reply) =>
      SIZES.map((size) => {
        const { text, calls } = outcomeOf(reply, size);
        expect(reply.reply.startsWith(text)).toBe(true);
        expect(calls).toBe(0);
        return leaked(reply, text);
      }),
    );
    leaks.sort((a, b) => a - b);
    expect(leaks[Math.floor(leaks.length * 0.95)]).toBe(0);
    expect(leaks.at(-1)).toBe(0);
    for (const reply of HARMLESS) {
      for (const size of SIZES) {
        const { text, calls } = outcomeOf(reply, size);
        expect(text).toBe(reply.reply);
        expect(calls).toBe(reply.call === undefined ? 0 : 1);
      }
    }
  });

  it('lets all of an echo through that is to pass', () => {
    for (const reply of ECHOES) {
      expect(runReply(reply, 7, 'pass').text).toBe(reply.reply);
    }
  });

  it('holds back little of a harmless answer', () => {
    const held = HARMLESS.flatMap((reply) => [...outcomeOf(reply, 7).held]).sort((a, b) => a - b);
    expect(held[Math.floor(held.length / 2)]).toBeLessThanOrEqual(60);
  });
});

/** Characters let through that are not the preface's. */
function leaked({ kind }: LabelledReply, text: string): number {
  return kind === 'behind a long preface' ? Math.max(0, text.length - LONG_PREFACE.length) : text.length;
}

const outcomes = new Map<LabelledReply, Map<number, Outcome>>();

/** Each answer is played once at each size. */
function outcomeOf(reply: LabelledReply, size = WHOLE): Outcome {
  const bySize = outcomes.get(reply) ?? new Map<number, Outcome>();
  const outcome = bySize.get(size) ?? runReply(reply, size);
  outcomes.set(reply, bySize.set(size, outcome));
  return outcome;
}

function nameOf({ kind, name }: LabelledReply): string {
  return `${kind}: ${name}`;
}

function names(replies: readonly LabelledReply[]): string[] {
  return replies.map(nameOf);
}
