import { describe, expect, it } from '@jest/globals';
import { type ChatMessage } from '../../../chat/interfaces/chat-message.js';
import { renderPrompt } from '../../../chat/prompt/render-prompt.js';
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

  describe('as transcripts, which share their frame and what the callers share', () => {
    const DIET = 'My doctor says that I have diabetes and must not eat sugar. What can I eat?';
    const POEM = 'Write a poem about the sea, the wind and the many ships upon it.';
    const SYSTEM = 'You are a helpful assistant with a great many talents.';
    const transcript = (system: string, user: string): string =>
      renderPrompt(
        [
          { role: 'system', content: system },
          { role: 'user', content: user },
        ] as ChatMessage[],
        { reminder: 'To call a tool write it exactly as it is shown above, and nothing behind it.' },
      );

    it.each([
      ['the same system message', SYSTEM],
      ['other system messages', 'Answer in rhymes and never say that you are a machine.'],
    ])('are found under %s', (_what, system) => {
      const noted = new EarlierPrompts();
      const [first, second] = [transcript(SYSTEM, DIET), transcript(system, POEM)];
      noted.note(first, body(first));
      expect(noted.areIn(body(second), second)).toBe(false);
      expect(noted.areIn(body(first, second), second)).toBe(true);
      noted.note(second, body(second));
      const third = transcript(system, 'Hi');
      expect(noted.areIn(body(first, third), third)).toBe(true);
      expect(noted.areIn(body(second, third), third)).toBe(true);
      expect(noted.areIn(body(third), third)).toBe(false);
    });

    it('are found however many others came before', () => {
      const noted = new EarlierPrompts();
      const prompt = (at: number): string =>
        transcript(SYSTEM, `Tell me in short words all about the number ${at}.`);
      for (let at = 0; at < 30; at++) {
        const [present, next] = [prompt(at), prompt(at + 1)];
        noted.note(present, body(present));
        expect(noted.areIn(body(present, next), next)).toBe(true);
      }
      expect(noted.latest().length).toBeLessThanOrEqual(48);
    });
  });

  it('are not found in a prompt with the same words and other white space, which the site squeezes', () => {
    const noted = new EarlierPrompts();
    const words = 'Please translate the following sentence into German';
    noted.note(words, body(words));
    for (const same of [words.replace('following ', 'following\n'), words.replaceAll(' ', '  ')]) {
      expect(noted.areIn(body(words), same)).toBe(false);
      expect(noted.areIn(body(same), same)).toBe(false);
    }
    expect(noted.areIn(body(words.replaceAll(' ', '\u00a0'), SECOND), SECOND)).toBe(true);
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
