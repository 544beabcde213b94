import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyCodePoint } from '../../../test/support/hostile/any-code-point.js';
import { cpuMs } from '../../../test/support/watch/cpu-time.js';
import { cpuPace } from '../../../test/support/watch/machine-pace.js';
import { composeAnswer, type Piece, type Question, slices } from './sandbox-answer.js';
import { parseMarkers } from './sandbox-script.js';

function answer(markers: string, question: Partial<Question> = {}): Piece[] {
  const prompt = question.prompt ?? markers;
  return [
    ...composeAnswer(parseMarkers(markers), { model: 'svc-max', thinking: false, ...question, prompt }),
  ];
}

function joined(pieces: readonly Piece[], type: Piece['type'] = 'text'): string {
  return pieces.map((piece) => (piece.type === type ? piece.text : '')).join('');
}

describe('composeAnswer', () => {
  it('names itself and quotes the last user message', () => {
    const pieces = answer('', { prompt: '<user>\nOld\n</user>\n<user>\nWhat is\nnew?\n</user>' });
    expect(joined(pieces)).toBe(
      'This answer comes from the built-in sandbox, not from a language model (svc-max is only a name here). ' +
        'Your message of 12 characters begins: “What is new?”\n\n' +
        'Point the gateway at a provider of your own for real answers. ' +
        'To see how limits, slow answers and faults look, put a marker of docs/sandbox.md such as ' +
        '`[[chunks:…]]` or `[[status:…]]` into your message.',
    );
    expect(pieces.length).toBeGreaterThan(40);
  });

  it('names no marker that takes effect where a client quotes the answer', () => {
    expect(parseMarkers(joined(answer('', { prompt: 'Hello' })))).toEqual({});
  });

  it('quotes only the beginning of a long message, and answers quickly', async () => {
    let text = '';
    const costMs = cpuMs(() => (text = joined(answer('', { prompt: 'long '.repeat(1_000_000) }))));
    await cpuPace.expectWithin(costMs, 2000);
    expect(text).toContain(`Your message of 4,999,999 characters begins: “${'long '.repeat(24)}…”`);
  });

  it('reasons only with thinking on', () => {
    expect(joined(answer('[[think:Hm, well]][[say:x]]'), 'reasoning')).toBe('');
    const pieces = answer('[[think:Hm, well]][[say:x]]', { thinking: true });
    expect(pieces).toEqual([
      { type: 'reasoning', text: 'Hm,' },
      { type: 'reasoning', text: ' well' },
      { type: 'text', text: 'x' },
    ]);
  });

  it('puts reasoning into the text with `think-tags`', () => {
    const pieces = answer('[[think:Hm]][[say:x]][[think-tags]]');
    expect(pieces.map(({ type }) => type)).toEqual(['text', 'text', 'text', 'text']);
    expect(joined(pieces)).toBe('<think>Hm</think>\n\nx');
  });

  it('numbers chunks', () => {
    expect(answer('[[chunks:3x0ms]]').map(({ text }) => text)).toEqual(['chunk 1 ', 'chunk 2 ', 'chunk 3']);
  });

  it('splits a text into the number of pieces of `chunks`', () => {
    expect(answer('[[say:abcdefg]][[chunks:3x0ms]]').map(({ text }) => text)).toEqual(['ab', 'cde', 'fg']);
  });

  it('answers with nothing for an empty `say`', () => {
    expect(answer('[[say:]]')).toEqual([]);
  });

  it('makes the exact number of bytes of filler', () => {
    expect(joined(answer('[[big:100KB]]'))).toHaveLength(100 * 1024);
  });

  it('echoes the last tool result, or else the whole prompt', () => {
    const result = ' a\n\n  b ';
    const prompt = `<user>\n[[echo]]\n</user>\n<tool_response>\n${result}\n</tool_response>`;
    expect(joined(answer('[[echo]]', { prompt }))).toBe(result);
    expect(joined(answer('[[echo]] and this', { prompt: '[[echo]] and this' }))).toBe('[[echo]] and this');
  });

  it('repeats any text of `say` exactly, at any pace', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint }), fc.integer({ min: 1, max: 50 }), (say, count) => {
        const question = { prompt: '', model: 'svc-max', thinking: false };
        expect(joined([...composeAnswer({ say }, question)])).toBe(say);
        expect(joined([...composeAnswer({ say, pace: { count, intervalMs: 0 } }, question)])).toBe(say);
      }),
    );
  });
});

describe('slices', () => {
  it('never cuts a character in two', () => {
    expect(slices('😀😀😀', 6)).toEqual(['😀', '😀', '😀']);
    for (const piece of slices('a😀b😀c', 4)) {
      expect(piece.isWellFormed()).toBe(true);
    }
  });
});
