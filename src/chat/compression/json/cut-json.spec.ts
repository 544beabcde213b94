import { describe, expect, it } from '@jest/globals';
import { closeCutJson } from './cut-json.js';

describe('closeCutJson', () => {
  it.each([
    ['[1,2,3', '[1,2]', '3'],
    ['{"a":{"b":[100,200,"x,]', '{"a":{"b":[100,200]}}', '"x,]'],
    ['[{"a":"\\"]"},\n {"a":"\\', '[{"a":"\\"]"}]', '{"a":"\\'],
    ['[{"a":1},{"a":2},{"a":3},{"a":4,"b":', '[{"a":1},{"a":2},{"a":3}]', '{"a":4,"b":'],
    ['[[1,2],[3,4],[5,6]\n[truncated', '[[1,2],[3,4]]', '[5,6]\n[truncated'],
  ])('closes %j behind the last complete item', (text, closed, rest) => {
    expect(closeCutJson(text)).toEqual({ closed, rest });
  });

  it.each(['[1,2,3]', '[1,2,]', '[INFO] a, b [', '{"a":1}\n{"a":2,', '[', '', 'a, b'])(
    'leaves %j alone',
    (text) => {
      expect(closeCutJson(text)).toBeUndefined();
    },
  );
});
