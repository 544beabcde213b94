import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type JsonScanFault, JsonScanner, MAX_JSON_DEPTH, MAX_JSON_TOKENS } from './json-scanner.js';

function scanAll(pieces: readonly Uint8Array[]): JsonScanFault | undefined {
  const scanner = new JsonScanner();
  for (const piece of pieces) {
    const fault = scanner.scan(piece);
    if (fault !== undefined) {
      return fault;
    }
  }
  return undefined;
}

const scanText = (text: string): JsonScanFault | undefined => scanAll([Buffer.from(text)]);

/** Structural characters of a value's shortest JSON text, counted on the value. */
function countTokens(value: unknown): number {
  if (Array.isArray(value)) {
    return (
      2 + Math.max(0, value.length - 1) + value.reduce<number>((sum, item) => sum + countTokens(item), 0)
    );
  }
  if (typeof value === 'object' && value !== null) {
    const items = Object.values(value);
    return (
      2 + Math.max(0, 2 * items.length - 1) + items.reduce<number>((sum, item) => sum + countTokens(item), 0)
    );
  }
  return 0;
}

function depthOf(value: unknown): number {
  return typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
    : 0;
}

/** Fills a text up to a number of structural characters with empty arrays. */
function withTokens(count: number): string {
  return `[${'[],'.repeat((count - 2) / 3)}${','.repeat((count - 2) % 3)}]`;
}

describe('depth', () => {
  const nested = (levels: number): string => '{"a":'.repeat(levels - 1) + '[' + ']' + '}'.repeat(levels - 1);

  test.each([
    [MAX_JSON_DEPTH, undefined],
    [MAX_JSON_DEPTH + 1, 'too_deep'],
    [100_000, 'too_deep'],
  ])('of %i is %s', (levels, fault) => {
    expect(scanText(nested(levels))).toBe(fault);
  });

  test('does not add up over siblings', () => {
    expect(scanText(`[${'[[]],'.repeat(1000)}1]`)).toBeUndefined();
  });
});

describe('structure', () => {
  test.each([
    [MAX_JSON_TOKENS, undefined],
    [MAX_JSON_TOKENS + 1, 'too_many_tokens'],
    [MAX_JSON_TOKENS + 2, 'too_many_tokens'],
    [4 * MAX_JSON_TOKENS, 'too_many_tokens'],
  ])('of %i characters is %s', (count, fault) => {
    const text = withTokens(count);
    expect(text.match(/[[\],]/g)).toHaveLength(count);
    expect(scanText(text)).toBe(fault);
  });

  test('in a string does not count', () => {
    expect(scanText(JSON.stringify({ a: '{[,:]}"\\'.repeat(MAX_JSON_TOKENS) }))).toBeUndefined();
  });
});

describe('every split', () => {
  const deep = '['.repeat(MAX_JSON_DEPTH);
  test.each([
    ['{"a":"\\\\","b":"\\"[","ü😀":[1,2,{"c":null}]}', undefined],
    [`${deep.slice(1)}{"\\"[[[":"\\\\"`, undefined],
    [`"\\\\\\"[" ${deep}["`, 'too_deep'],
    [`${deep}"[\\"["[`, 'too_deep'],
  ])('of %s gives %s', (text, fault) => {
    const bytes = Buffer.from(text);
    for (let i = 0; i <= bytes.length; i++) {
      expect(scanAll([bytes.subarray(0, i), bytes.subarray(i)])).toBe(fault);
    }
    expect(scanAll([...bytes].map((byte) => Uint8Array.of(byte)))).toBe(fault);
  });
});

test('agrees with a count on the parsed value, whatever the splits', () => {
  const commas = Buffer.alloc(MAX_JSON_TOKENS + 1, ',');
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.array(fc.nat(200)), fc.nat(3), (value, cuts, indent) => {
      const missing = MAX_JSON_TOKENS - countTokens(value);
      const room = depthOf(value) < MAX_JSON_DEPTH;
      const bytes = Buffer.from(JSON.stringify(value, null, indent));
      const pieces = [...cuts.filter((cut) => cut < bytes.length), bytes.length]
        .sort((a, b) => a - b)
        .map((cut, i, all) => bytes.subarray(all[i - 1] ?? 0, cut));
      expect(room).toBe(true);
      expect(scanAll([...pieces, commas.subarray(0, missing)])).toBeUndefined();
      expect(scanAll([...pieces, commas.subarray(0, missing + 1)])).toBe('too_many_tokens');
      const spare = MAX_JSON_DEPTH - depthOf(value);
      expect(scanAll([Buffer.from('['.repeat(spare)), ...pieces])).toBeUndefined();
      expect(
        scanAll([
          Buffer.from('['.repeat(spare)),
          ...pieces,
          Buffer.from('['.repeat(MAX_JSON_DEPTH + 1 - spare)),
        ]),
      ).toBe('too_deep');
    }),
    { numRuns: 200 },
  );
});
