import { describe, expect, it, jest } from '@jest/globals';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { watchLoop } from '../../../../test/support/watch/loop-watch.js';
import { cpuPace } from '../../../../test/support/watch/machine-pace.js';
import { o200k } from './o200k.js';
import { Tokenizer } from './tokenizer.js';

const tokenizer = new Tokenizer();

const PROSE =
  'The quick brown fox, which was 12 years old, didn’t jump over the "lazy" dog; it slept.\n\n' +
  'Über die Brücke ging ein Mädchen. 你好，世界！今天天气怎么样？ Привет, мир. 😀👍🏽\n';
const CODE = 'export function add(a: number, b: number): number {\n  return a + b; // 0x1F ≠ 31.0e-7\n}\n\n';
const CSV = '2024-05-01T12:00:00Z,17.25,"Smith, J.",OK,0,,\r\n';

/** A text of some length made of one unit. */
function fill(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

/** Letters without any pattern, always the same. */
function noise(length: number, from: number, range: number): string {
  let seed = 1;
  return Array.from({ length }, () => {
    seed = (seed * 48_271) % 0x7fffffff;
    return String.fromCharCode(from + (seed % range));
  }).join('');
}

describe('Tokenizer', () => {
  it.each([
    ['prose', PROSE],
    ['code', CODE],
    ['CSV', CSV],
    ['words', ' word'],
    ['JSON', '{"id":17,"name":"item","tags":["a","b"],"ok":true},'],
  ])('counts %s of any length as the library does', async (_what, unit) => {
    for (const length of [0, 1, 100, 8192, 50_000]) {
      const text = fill(unit, length);
      const expected = countTokens(text);
      expect(await tokenizer.count(text)).toBe(expected);
      expect(tokenizer.countNow(text)).toBe(expected);
    }
  });

  it('finds the text that the first tokens make up, and never half a character', () => {
    const text = `${PROSE}${fill('x', 600)}${CODE}${fill('🧿', 20)}`;
    const total = tokenizer.countNow(text);
    let longest = '';
    for (let tokens = 0; tokens <= total; tokens++) {
      const prefix = tokenizer.prefix(text, tokens);
      expect(text.startsWith(prefix)).toBe(true);
      expect(prefix.isWellFormed()).toBe(true);
      expect(prefix.startsWith(longest)).toBe(true);
      expect(tokenizer.countNow(prefix)).toBeLessThanOrEqual(tokens);
      longest = prefix;
    }
    expect(tokenizer.prefix(text, total)).toBe(text);
    expect(tokenizer.prefix(text, total + 1)).toBe(text);
    expect(tokenizer.prefix('one two three', 2)).toBe('one two');
    expect(tokenizer.prefix('', 5)).toBe('');
  });

  it('takes the text of special tokens for text', async () => {
    const text = 'a <|endoftext|> b <|im_start|>';
    expect(tokenizer.countNow(text)).toBeGreaterThan(10);
    expect(await tokenizer.count(text)).toBe(tokenizer.countNow(text));
    expect(tokenizer.prefix(text, 100)).toBe(text);
  });

  it.each([
    ['one letter', fill('a', 4_000_000)],
    ['white space', fill(' ', 1_000_000)],
    ['one symbol', fill('=', 1_000_000)],
    ['letters', noise(100_000, 97, 26)],
    ['Chinese without punctuation', noise(20_000, 0x4e00, 5000)],
    ['emoji', fill('😀🎉', 300_000)],
    ['base64', noise(100_000, 0x2f, 75)],
    ['minified JSON', JSON.stringify(Array.from({ length: 50_000 }, (_, id) => ({ id, v: `x${id}` })))],
  ])('counts a long run of %s without holding the event loop', async (_what, text) => {
    await cpuPace.expectOnceWithin(async () => {
      const watch = watchLoop();
      const tokens = await tokenizer.count(text);
      const { cpuMs } = watch.stop();
      expect(tokens).toBeGreaterThan(0);
      expect(tokens).toBeLessThanOrEqual(Buffer.byteLength(text));
      return cpuMs;
    }, 250);
  });

  it('gives each of many long texts a turn of the event loop of its own', async () => {
    const text = fill(PROSE, 10_000);
    const alone = await tokenizer.count(text);
    let turns = 0;
    let pending = setImmediate(function next() {
      turns++;
      pending = setImmediate(next);
    });
    const counted = await Promise.all(Array.from({ length: 30 }, () => tokenizer.count(text)));
    clearImmediate(pending);
    expect(counted).toEqual(Array.from({ length: 30 }, () => alone));
    expect(turns).toBeGreaterThanOrEqual(30);
  });

  it('is hardly off where it has to cut a run', async () => {
    const text = noise(4000, 97, 26);
    const exact = countTokens(text);
    expect(Math.abs((await tokenizer.count(text)) - exact) / exact).toBeLessThan(0.01);
  });

  it('stops counting when it is told to', async () => {
    const controller = new AbortController();
    const counted = tokenizer.count(fill(PROSE, 2_000_000), controller.signal);
    controller.abort(new Error('gone'));
    await expect(counted).rejects.toThrow('gone');
  });

  it('estimates by the length while the vocabulary cannot be loaded', async () => {
    const outage = { failed: jest.fn(), succeeded: jest.fn() };
    let isShort = true;
    const without = new Tokenizer(outage, () => {
      if (isShort) {
        throw new Error('EMFILE: too many open files');
      }
      return o200k();
    });
    const text = PROSE.repeat(200);
    const estimate = Buffer.byteLength(text) / 4;
    expect(Math.abs((await without.count(text)) - estimate)).toBeLessThan(10);
    expect(without.countNow('eight by')).toBe(2);
    expect(without.prefix('Häß 你好', 2)).toBe('Häß ');
    expect(without.prefix('short', 9)).toBe('short');
    expect(outage.failed).toHaveBeenLastCalledWith(new Error('EMFILE: too many open files'));
    expect(outage.succeeded).not.toHaveBeenCalled();
    isShort = false;
    expect(await without.count(text)).toBe(countTokens(text));
    expect(outage.succeeded).toHaveBeenCalled();
  });
});
