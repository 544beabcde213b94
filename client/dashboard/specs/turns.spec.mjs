import { describe, expect, it } from '@jest/globals';
import { countFailed, groupTurns } from '../assets/data/turns.js';

/** Entries from a short form: conversation, turn, and `!` if it failed; `-` stands for none. Newest first. */
const entries = (text) =>
  text.split(' ').map((word, at) => {
    const [, conversation, turn, failed] = /^(.)(\d*)(!?)$/.exec(word);
    const place = conversation === '-' ? {} : { conversation, turn: Number(turn) };
    return { at, word, ...place, outcome: failed ? 'upstream_error' : 'ok' };
  });

describe('groupTurns', () => {
  it.each([
    ['a3 a2 a1', ['a3 a2 a1']],
    ['a2 b1 a1', ['a2 a1', 'b1']],
    ['- a2 - a1', ['-', 'a2 a1', '-']],
    // Tried again after a failure.
    ['a3 a3! a2', ['a3 a3! a2']],
    // Questions after the same examples, and conversations that look alike.
    ['a2 a2 a2', ['a2', 'a2', 'a2']],
    ['a2 a1 a1', ['a2 a1', 'a1']],
    ['a1 a2', ['a1', 'a2']],
    ['a2 a4 a3', ['a2', 'a4 a3']],
  ])('%s', (given, expected) => {
    expect(groupTurns(entries(given)).map((group) => group.map(({ word }) => word).join(' '))).toEqual(
      expected,
    );
  });

  it('says how many of some turns failed, cancelled ones left out', () => {
    const outcomes = ['ok', 'pending', 'cancelled', 'rate_limited', 'client_error', 'upstream_error'];
    expect(countFailed(outcomes.map((outcome) => ({ outcome })))).toBe(3);
  });

  it('keeps every entry, each once', () => {
    const given = entries('a9 b2 a8 - a8 b1 a1 - b1');
    expect(
      groupTurns(given)
        .flat()
        .sort((a, b) => a.at - b.at),
    ).toEqual(given);
  });
});
