import { describe, expect, it } from '@jest/globals';
import { EarlierPrompts } from './earlier-prompts.js';

const FIRST = 'Please tell me what the capital city of France is.';
const SECOND = 'And which river flows through that very same city?';
const body = (...messages: string[]): string => JSON.stringify({ messages });

describe('EarlierPrompts', () => {
  const earlier = new EarlierPrompts();
  earlier.note(FIRST, body(FIRST));

  it('are found in a body that carries one along', () => {
    expect(earlier.areIn(body(FIRST, SECOND), SECOND)).toBe(true);
  });

  it('are not found in one that does not, that is sent again, or that quotes it itself', () => {
    expect(earlier.areIn(body(SECOND), SECOND)).toBe(false);
    expect(earlier.areIn(body(FIRST), FIRST)).toBe(false);
    expect(earlier.areIn(body(`${FIRST}\n${SECOND}`), `${FIRST}\n${SECOND}`)).toBe(false);
  });

  it('are not told from others where they are short', () => {
    const short = new EarlierPrompts();
    short.note('yes', body('yes'));
    expect(short.areIn(body('yes', SECOND), SECOND)).toBe(false);
  });

  it('are told from what the site itself sends, which a caller may quote', () => {
    const system = 'You are a friendly assistant with many talents.';
    for (const copies of [1, 2]) {
      const sent = (prompt: string): string => body(system, ...Array.from({ length: copies }, () => prompt));
      const quoted = new EarlierPrompts();
      quoted.note(system, sent(system));
      expect(quoted.areIn(sent(FIRST), FIRST)).toBe(false);
      expect(quoted.areIn(sent('yes'), 'yes')).toBe(false);
      quoted.note(FIRST, sent(FIRST));
      expect(quoted.areIn(body(sent(SECOND), FIRST), SECOND)).toBe(true);
    }
  });

  describe('of an account that changes its gateway', () => {
    const prompt = (at: number): string => `This is the long prompt with the number ${at}`;
    const noteAll = (to: EarlierPrompts, from: number, count: number): void => {
      for (let at = from; at < from + count; at++) {
        to.note(prompt(at), body(prompt(at)));
      }
    };
    const known = (to: EarlierPrompts): number[] =>
      Array.from({ length: 20 }, (_, at) => at).filter((at) => to.areIn(body(prompt(at)), SECOND));

    it('go along, and the latest of both are known', () => {
      const [first, second] = [new EarlierPrompts(), new EarlierPrompts()];
      noteAll(first, 0, 8);
      second.adopt(first.latest());
      noteAll(second, 8, 3);
      expect(known(second)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
      first.adopt(second.latest());
      expect(known(first)).toEqual(known(second));
    });

    it('do not take the place of later ones when an earlier state comes back', () => {
      const one = new EarlierPrompts();
      noteAll(one, 0, 4);
      const before = one.latest();
      noteAll(one, 4, 8);
      one.adopt(before);
      expect(known(one)).toEqual([4, 5, 6, 7, 8, 9, 10, 11]);
    });
  });

  it('are remembered for a while', () => {
    const many = new EarlierPrompts();
    for (let at = 0; at < 20; at++) {
      const prompt = `This is the long prompt with the number ${at}`;
      many.note(prompt, body(prompt));
    }
    expect(many.areIn(body('This is the long prompt with the number 19'), SECOND)).toBe(true);
    expect(many.areIn(body('This is the long prompt with the number 3'), SECOND)).toBe(false);
  });
});
