import { expect, it } from '@jest/globals';
import { packRecording, unpackRecording } from './upstream-recording.js';

it.each([
  ['short', 10],
  ['long', 20_000],
])('keeps a %s recording without its secrets', (_, length) => {
  const texts = (secret: string): string => JSON.stringify({ text: 'ä'.repeat(length), secret });
  const packed = packRecording({ json: texts('pass word'), secrets: ['pass word'] });
  expect(unpackRecording(packed)).toBe(texts('[redacted]'));
  expect(packed.length).toBeLessThan(1000);
});
