import { describe, expect, it } from '@jest/globals';
import { bringsProgress, FillerCounter } from './answer-progress.js';
import { type UpstreamBatch } from './upstream-driver.js';

const USAGE = { promptTokens: 1, completionTokens: 1, reasoningTokens: 0, cachedTokens: 0 };
const TEXT: UpstreamBatch = [{ type: 'accepted' }, { type: 'text', text: 'x' }];

describe('bringsProgress', () => {
  it.each<[boolean, UpstreamBatch]>([
    [false, []],
    [false, [{ type: 'accepted' }]],
    [false, [{ type: 'usage', usage: USAGE }]],
    [true, TEXT],
    [true, [{ type: 'reasoning', text: 'x' }]],
    [true, [{ type: 'toolCall', delta: { index: 0, arguments: '' } }]],
    [true, [{ type: 'done', reason: 'stop' }]],
  ])('is %s for %j', (brings, batch) => {
    expect(bringsProgress(batch)).toBe(brings);
  });
});

describe('FillerCounter', () => {
  it('counts bytes from one piece of the answer to the next', () => {
    const counter = new FillerCounter(() => 10);
    counter.add(10);
    counter.take([]);
    expect(() => counter.add(1)).toThrow(expect.objectContaining({ fault: 'no_progress' }));
    counter.take(TEXT);
    expect(() => counter.add(10)).not.toThrow();
    expect(() => counter.add(1)).toThrow('endless data');
  });
});
