import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeRecords, EncodedRecords, type SentRecord } from './encoded-records.js';

const text = fc.string({ unit: 'binary', maxLength: 300 });
const number = fc.nat(Number.MAX_SAFE_INTEGER);
const records: fc.Arbitrary<SentRecord[]> = fc.array(
  fc.record({
    seq: number,
    changed: number,
    bytes: number,
    outcome: text,
    brief: text,
    texts: fc.option(text),
    requestBody: fc.option(text),
    responseBody: fc.option(text),
  }),
  { maxLength: 30 },
);

/** What is done with records that are encoded: more are added, or the oldest parts taken out or given up. */
const step = fc.oneof(
  records.map((added) => ({ added })),
  fc.nat(3).map((taken) => ({ taken })),
  fc.constant({ dropped: true }),
);

const header = (type: number, count: number): Buffer => {
  const bytes = Buffer.alloc(20);
  [1, 1, type, count, 1].forEach((word, at) => bytes.writeInt32BE(word, at * 4));
  return bytes;
};

describe('EncodedRecords', () => {
  it('gives arrays in the form of PostgreSQL', () => {
    const encoded = new EncodedRecords();
    const part = encoded.add([
      {
        seq: 2 ** 32 + 5,
        changed: 0,
        bytes: 7,
        outcome: 'ok',
        brief: '{}',
        texts: null,
        requestBody: 'é',
        responseBody: '',
      },
    ]);
    const element = (...bytes: number[]): Buffer => Buffer.from([0, 0, 0, bytes.length, ...bytes]);
    expect(encoded.take([part]).map((array) => Buffer.from(array))).toEqual([
      Buffer.concat([header(20, 1), element(0, 0, 0, 1, 0, 0, 0, 5)]),
      Buffer.concat([header(20, 1), element(0, 0, 0, 0, 0, 0, 0, 0)]),
      Buffer.concat([header(20, 1), element(0, 0, 0, 0, 0, 0, 0, 7)]),
      Buffer.concat([header(25, 1), element(111, 107)]),
      Buffer.concat([header(114, 1), element(123, 125)]),
      Buffer.concat([header(25, 1), Buffer.from([255, 255, 255, 255])]),
      Buffer.concat([header(25, 1), element(0xc3, 0xa9)]),
      Buffer.concat([header(25, 1), element()]),
    ]);
    expect(part.sizes.reduce((sum, size) => sum + size)).toBe(3 * 12 + 6 + 6 + 4 + 6 + 4);
    expect(encoded.bytes).toBe(0);
  });

  it('takes out what was put in, in order', () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const encoded = new EncodedRecords();
        const parts: { part: ReturnType<EncodedRecords['add']>; records: SentRecord[] }[] = [];
        for (const one of steps) {
          if ('added' in one) {
            parts.push({ part: encoded.add(one.added), records: one.added });
          } else if ('taken' in one) {
            const taken = parts.splice(0, one.taken);
            const arrays = encoded.take(taken.map(({ part }) => part));
            expect(decodeRecords(arrays)).toEqual(taken.flatMap((each) => each.records));
          } else {
            const dropped = parts.shift();
            if (dropped) {
              encoded.drop(dropped.part);
            }
          }
        }
      }),
    );
  });
});
