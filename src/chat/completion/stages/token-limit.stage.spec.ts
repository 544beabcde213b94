import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { cpuMs, expectCostRatio } from '../../../../test/support/watch/cpu-time.js';
import { chunkingOf, DeltaRecorder, feed, inPieces } from '../../../../test/support/watch/delta-recorder.js';
import { cpuPace } from '../../../../test/support/watch/machine-pace.js';
import { Tokenizer } from '../tokens/tokenizer.js';
import { TokenLimitStage } from './token-limit.stage.js';

const tokenizer = new Tokenizer();

function limit(maxTokens: number, pieces: readonly string[]): { text: string; reasons: string[] } {
  const sink = new DeltaRecorder();
  feed(new TokenLimitStage(sink, maxTokens, tokenizer, sink.end), pieces, sink.reasons);
  expect(sink.pieces.every(([, text]) => text !== '')).toBe(true);
  return { text: sink.joined('text'), reasons: sink.reasons };
}

/** The rule: the first tokens of the whole, less a character that is cut in half. */
function expectFirstTokens(maxTokens: number, text: string, result: ReturnType<typeof limit>): void {
  const tokens = encode(text);
  if (tokens.length <= maxTokens) {
    expect(result).toEqual({ text, reasons: [] });
    return;
  }
  const shown = encode(result.text);
  expect(result.reasons).toEqual(['length']);
  expect(text.startsWith(result.text)).toBe(true);
  expect(result.text.isWellFormed()).toBe(true);
  // The last token may have begun a character that was left out.
  expect(shown.slice(0, -1)).toEqual(tokens.slice(0, Math.max(0, shown.length - 1)));
  expect(shown.length).toBeLessThanOrEqual(maxTokens);
  // One character is at most four bytes, so at most three tokens of it are missing.
  expect(shown.length).toBeGreaterThanOrEqual(maxTokens - 3);
}

/** Pieces of whole characters, as the stage gets them. */
function characters(text: string, size: number): string[] {
  const all = [...text];
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size).join(''),
  );
}

const TEXT =
  'Unbelievable antidisestablishmentarianism isn’t it? "Well..." 12345.67 items;\n\n  if (a !== b) { return; }\n' +
  'Größe 你好，世界 Привет 👩‍👩‍👧 naïve';

describe('TokenLimitStage', () => {
  it('lets the first tokens of the whole through, however it arrives and wherever the limit is', () => {
    const total = encode(TEXT).length;
    for (let maxTokens = 1; maxTokens <= total + 1; maxTokens++) {
      const whole = limit(maxTokens, [TEXT]);
      expectFirstTokens(maxTokens, TEXT, whole);
      for (const size of [1, 2, 7]) {
        const pieces = characters(TEXT, size);
        expect({ maxTokens, size, ...limit(maxTokens, pieces) }).toEqual({ maxTokens, size, ...whole });
      }
    }
  });

  it('keeps that rule for any text at any chunking', () => {
    const unit = fc.constantFrom(
      'a',
      'B',
      'un',
      'able',
      ' ',
      '  ',
      '\n',
      '1',
      '23',
      '.',
      '!!',
      "'s",
      'é',
      '好',
      '-',
    );
    const cases = fc
      .array(unit, { maxLength: 30 })
      .map((units) => units.join(''))
      .chain((text) => fc.tuple(fc.constant(text), chunkingOf(text), fc.integer({ min: 1, max: 20 })));
    fc.assert(
      fc.property(cases, ([text, pieces, maxTokens]) => {
        expectFirstTokens(maxTokens, text, limit(maxTokens, pieces));
      }),
      { numRuns: 500 },
    );
  });

  it('does not shorten an answer that is exactly as long as allowed', () => {
    const text = ' word'.repeat(100);
    expect(limit(100, inPieces(text, 3))).toEqual({ text, reasons: [] });
    expect(limit(99, inPieces(text, 3))).toEqual({ text: ' word'.repeat(99), reasons: ['length'] });
  });

  it('lets every piece through at once while the limit is far, and holds back one word close to it', () => {
    const sink = new DeltaRecorder();
    const stage = new TokenLimitStage(sink, 12, tokenizer, sink.end);
    const shown = [' on', 'e two', ' three', ' fou', 'r five', ' si', 'x'].map((piece) => {
      stage.text(piece);
      return sink.joined('text');
    });
    expect(shown).toEqual([
      ' on',
      ' one two',
      ' one two three',
      ' one two three fou',
      ' one two three four five',
      ' one two three four five si',
      ' one two three four five six',
    ]);
    const close = new DeltaRecorder();
    const tight = new TokenLimitStage(close, 2, tokenizer, close.end);
    tight.text(' un');
    tight.text('believable');
    expect(close.pieces).toEqual([]);
    tight.text(' x');
    expect(close.pieces).toEqual([['text', ' unbelievable']]);
  });

  it('holds back no more than a run of 256 characters', () => {
    const sink = new DeltaRecorder();
    const stage = new TokenLimitStage(sink, 100, tokenizer, sink.end);
    let fed = 0;
    for (const piece of inPieces('='.repeat(2000), 10)) {
      stage.text(piece);
      fed += piece.length;
      expect(fed - sink.joined('text').length).toBeLessThanOrEqual(256);
    }
    expect(sink.reasons).toEqual([]);
  });

  it('never shows half a character', () => {
    const text = '🧿'.repeat(10);
    const perEmoji = encode('🧿').length;
    expect(perEmoji).toBeGreaterThan(1);
    expect(limit(2 * perEmoji + 1, [text])).toEqual({ text: '🧿🧿', reasons: ['length'] });
    expect(limit(1, [text])).toEqual({ text: '', reasons: ['length'] });
  });

  it('counts reasoning and text together', () => {
    const sink = new DeltaRecorder();
    const stage = new TokenLimitStage(sink, 5, tokenizer, sink.end);
    stage.reasoning(' one two');
    stage.reasoning(' three');
    stage.text(' four five');
    stage.text(' six seven');
    stage.flush();
    expect({ reasoning: sink.joined('reasoning'), text: sink.joined('text'), reasons: sink.reasons }).toEqual(
      {
        reasoning: ' one two three',
        text: ' four five',
        reasons: ['length'],
      },
    );
  });

  it('cuts reasoning too', () => {
    const sink = new DeltaRecorder();
    const stage = new TokenLimitStage(sink, 2, tokenizer, sink.end);
    stage.reasoning(' one two three four');
    expect(sink.pieces).toEqual([['reasoning', ' one two']]);
    expect(sink.reasons).toEqual(['length']);
  });

  it('lets a piece of a tool call through whole or not at all, after the text before it', () => {
    const first = { index: 0, id: 'call_1', name: 'read', arguments: '' };
    const second = { index: 0, arguments: '{"path":' };
    const third = { index: 0, arguments: '"a b c d e f g h"}' };
    const sink = new DeltaRecorder();
    const stage = new TokenLimitStage(sink, 6, tokenizer, sink.end);
    stage.text(' on');
    stage.toolCall(first);
    stage.toolCall(second);
    stage.toolCall(third);
    expect(sink.pieces).toEqual([
      ['text', ' on'],
      ['toolCall', first],
      ['toolCall', second],
    ]);
    expect(sink.reasons).toEqual(['length']);
  });

  it('counts the arguments of a call as a whole', () => {
    const json = `{"text":"${'word '.repeat(50)}"}`;
    const sink = new DeltaRecorder();
    const stage = new TokenLimitStage(sink, encode(`f${json}`).length, tokenizer, sink.end);
    stage.toolCall({ index: 0, id: 'call_1', name: 'f', arguments: '' });
    inPieces(json, 1).forEach((piece) => stage.toolCall({ index: 0, arguments: piece }));
    stage.flush();
    expect(sink.pieces).toHaveLength(1 + json.length);
    expect(sink.reasons).toEqual([]);
  });

  it('passes 65,536 tokens in small pieces without being slow', async () => {
    const pieces = inPieces(' word'.repeat(65_536), 5);
    await cpuPace.expectOnceWithin(
      () => cpuMs(() => expect(limit(65_536, pieces).reasons).toEqual([])),
      2000,
    );
  });

  it('tokenizes no more of a giant piece than the limit takes', () => {
    const cost = (length: number): number => {
      const text = ' word'.repeat(length / 5);
      return cpuMs(() => {
        expect(limit(1000, [text])).toEqual({ text: ' word'.repeat(1000), reasons: ['length'] });
        const sink = new DeltaRecorder();
        const stage = new TokenLimitStage(sink, 1000, tokenizer, sink.end);
        stage.toolCall({ index: 0, id: 'call_1', name: 'f', arguments: text });
        expect({ pieces: sink.pieces, reasons: sink.reasons }).toEqual({ pieces: [], reasons: ['length'] });
      });
    };
    expectCostRatio({ small: () => cost(100_000), large: () => cost(2_000_000) }, 4);
  });

  it('divides a giant piece between characters only', () => {
    const text = `=${'🧿'.repeat(10_000)}`;
    const sink = new DeltaRecorder();
    const stage = new TokenLimitStage(sink, encode(text).length, tokenizer, sink.end);
    stage.text(text);
    stage.flush();
    expect({ text: sink.joined('text'), reasons: sink.reasons }).toEqual({ text, reasons: [] });
    expect(sink.pieces.every(([, piece]) => (piece as string).isWellFormed())).toBe(true);
  });
});
