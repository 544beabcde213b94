import { describe, expect, it } from '@jest/globals';
import { type ToolCallDelta } from '../upstream-driver.js';
import { ToolCallReader } from './tool-call-reader.js';

function readAll(calls: readonly unknown[]): (ToolCallDelta | undefined)[] {
  const reader = new ToolCallReader();
  return calls.map((call) => reader.read(call));
}

const begun = (index: number, id: string | undefined, name: string, text = ''): ToolCallDelta => ({
  index,
  id,
  name,
  arguments: text,
});

describe('ToolCallReader', () => {
  it('reads calls in pieces', () => {
    expect(
      readAll([
        { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } },
        { index: 0, function: { arguments: '{"x":' } },
        { index: 0, function: { arguments: '1}' } },
        { index: 1, id: 'b', function: { name: 'g', arguments: '{}' } },
      ]),
    ).toEqual([
      begun(0, 'a', 'f'),
      { index: 0, arguments: '{"x":' },
      { index: 0, arguments: '1}' },
      begun(1, 'b', 'g', '{}'),
    ]);
  });

  it('ignores repeated names and ids', () => {
    expect(
      readAll([
        { index: 0, id: 'a', function: { name: 'f', arguments: '{' } },
        { index: 0, id: 'a', function: { name: 'f', arguments: '}' } },
        { index: 0, id: '', function: { name: '', arguments: ' ' } },
      ]),
    ).toEqual([begun(0, 'a', 'f', '{'), { index: 0, arguments: '}' }, { index: 0, arguments: ' ' }]);
  });

  it('separates calls that share one index', () => {
    expect(
      readAll([
        { index: 0, id: 'a', function: { name: 'f', arguments: '{}' } },
        { index: 0, id: 'b', function: { name: 'f', arguments: '{' } },
        { index: 0, function: { arguments: '}' } },
      ]),
    ).toEqual([begun(0, 'a', 'f', '{}'), begun(1, 'b', 'f', '{'), { index: 1, arguments: '}' }]);
  });

  it('numbers calls that have no index', () => {
    expect(
      readAll([
        { id: 'a', function: { name: 'f', arguments: '{' } },
        { function: { arguments: '}' } },
        { id: 'b', function: { name: 'g', arguments: '{}' } },
      ]),
    ).toEqual([begun(0, 'a', 'f', '{'), { index: 0, arguments: '}' }, begun(1, 'b', 'g', '{}')]);
  });

  it('numbers calls from 0 wherever the upstream begins', () => {
    expect(readAll([{ index: 1, id: 'a', function: { name: 'f' } }])).toEqual([begun(0, 'a', 'f')]);
  });

  it('serialises arguments that are an object', () => {
    expect(readAll([{ index: 0, id: 'a', function: { name: 'f', arguments: { x: 1 } } }])).toEqual([
      begun(0, 'a', 'f', '{"x":1}'),
    ]);
  });

  it('ignores values that are no call', () => {
    expect(readAll([null, 'x', 1])).toEqual([undefined, undefined, undefined]);
  });
});
