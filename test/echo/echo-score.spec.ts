import { describe, expect, it } from '@jest/globals';
import { ECHOES, LONG_PREFACE } from './echoes.js';
import { HARMLESS } from './harmless.js';
import { type LabelledReply } from './labelled-reply.js';
import { type Outcome, runReply } from './run-reply.js';

/** Sizes of pieces in characters: the smallest, a usual one, and the whole answer. */
const WHOLE = Number.MAX_SAFE_INTEGER;
const SIZES = [1, 7, WHOLE];

/** Runs on answers to recorded and written tool results, armed as in the service. */
describe('EchoStage on labelled answers', () => {
  it('tells echoes from other answers', () => {
    const caught = ECHOES.filter((reply) => outcomeOf(reply).match);
    const wronglyCaught = HARMLESS.filter((reply) => outcomeOf(reply).match);
    const precision = caught.length / (caught.length + wronglyCaught.length);
    const recall = caught.length / ECHOES.length;
    expect({
      missed: names(ECHOES.filter((reply) => !caught.includes(reply))),
      wronglyCaught: names(wronglyCaught),
    }).toEqual({ missed: [], wronglyCaught: [] });
    expect(precision).toBeGreaterThanOrEqual(0.98);
    expect(recall).toBeGreaterThanOrEqual(0.97);
    // The score says something only if enough harmless answers are judged.
    expect(HARMLESS.filter((reply) => outcomeOf(reply).held.length > 0).length).toBeGreaterThan(100);
  });

  it('decides the same at any chunking', () => {
    const differing = [...ECHOES, ...HARMLESS].filter((reply) => {
      const whole = JSON.stringify(outcomeOf(reply).match);
      return SIZES.some((size) => JSON.stringify(outcomeOf(reply, size).match) !== whole);
    });
    expect(names(differing)).toEqual([]);
  });

  it('hands on nothing of an echo, nor a call behind it', () => {
    const leaking = ECHOES.filter((reply) =>
      SIZES.map((size) => outcomeOf(reply, size)).some(
        ({ match, text, calls }) =>
          match && (leaked(reply, text) > 0 || !reply.reply.startsWith(text) || calls > 0),
      ),
    );
    expect(names(leaking)).toEqual([]);
  });

  it('hands on all of other answers, and of echoes that may pass', () => {
    const changed = HARMLESS.filter((reply) =>
      SIZES.map((size) => outcomeOf(reply, size)).some(
        ({ text, calls }) => text !== reply.reply || calls !== (reply.call === undefined ? 0 : 1),
      ),
    );
    const lost = ECHOES.filter((reply) => runReply(reply, 7, 'pass').text !== reply.reply);
    expect(names([...changed, ...lost])).toEqual([]);
  });

  it('holds back little of a harmless answer', () => {
    const held = HARMLESS.flatMap((reply) => [...outcomeOf(reply, 7).held]).sort((a, b) => a - b);
    expect(held[Math.floor(held.length / 2)]).toBeLessThanOrEqual(60);
  });
});

/** Number of characters that were handed on beyond the preface. */
function leaked({ kind }: LabelledReply, text: string): number {
  return kind === 'behind a long preface' ? Math.max(0, text.length - LONG_PREFACE.length) : text.length;
}

const outcomes = new Map<LabelledReply, Map<number, Outcome>>();

/** Outcome of an answer, computed once for each size. */
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
