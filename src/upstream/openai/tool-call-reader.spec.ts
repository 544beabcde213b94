import { describe, expect, it } from '@jest/globals';
import { type ToolCallDelta } from '../upstream-driver.js';
import { MAX_CALLS, ToolCallReader } from './tool-call-reader.js';

function readAll(calls: readonly unknown[]): (ToolCallDelta | undefined)[] {
  const reader = new ToolCallReader();
  return calls.map((call) => reader.read(call));
}

const begun = (
  index: number,
  id: string | undefined,
  name: string | undefined,
  text = '',
): ToolCallDelta => ({
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

  it.each<[string, object]>([
    ['neither index nor id', {}],
    ['one index and no id', { index: 0, id: '' }],
  ])('separates whole calls that have %s', (_what, place) => {
    expect(
      readAll([
        { ...place, function: { name: 'f', arguments: '{"x":1}' } },
        { ...place, function: { name: 'f', arguments: '{"x":2}' } },
        { ...place, function: { name: 'g', arguments: '' } },
        { ...place, function: { name: 'h', arguments: '{' } },
        { ...place, function: { arguments: '}' } },
      ]),
    ).toEqual([
      begun(0, undefined, 'f', '{"x":1}'),
      begun(1, undefined, 'f', '{"x":2}'),
      begun(2, undefined, 'g'),
      begun(3, undefined, 'h', '{'),
      { index: 3, arguments: '}' },
    ]);
  });

  it('keeps a call together whose pieces have ids of their own', () => {
    for (const index of [0, undefined]) {
      expect(
        readAll([
          { index, id: 'a', function: { name: 'f', arguments: '' } },
          { index, id: 'b', function: { name: 'f', arguments: '{"x":{}' } },
          { index, id: 'c', function: { arguments: '}' } },
          { index, id: 'd', function: { name: 'f', arguments: '{}' } },
        ]),
      ).toEqual([
        begun(0, 'a', 'f'),
        { index: 0, arguments: '{"x":{}' },
        { index: 0, arguments: '}' },
        begun(1, 'd', 'f', '{}'),
      ]);
    }
  });

  it('knows the end of a call behind braces that are text', () => {
    const pieces = ['{"a":"}\\"', '}\\\\"', ' }', ' ', '{}', '{}'];
    const calls = pieces.map((text, at) => ({ id: `${at}`, function: { arguments: text } }));
    expect(readAll(calls)).toEqual([
      begun(0, '0', undefined, pieces[0]),
      { index: 0, arguments: pieces[1] },
      { index: 0, arguments: pieces[2] },
      begun(1, '3', undefined, ' '),
      { index: 1, arguments: '{}' },
      begun(2, '5', undefined, '{}'),
    ]);
  });

  it('takes what follows an object at once as a part of it', () => {
    expect(
      readAll(['{}}', '{}'].map((text, at) => ({ id: `${at}`, function: { arguments: text } }))),
    ).toEqual([begun(0, '0', undefined, '{}}'), { index: 0, arguments: '{}' }]);
  });

  it('separates calls of one chunk that have ids and no index', () => {
    const reader = new ToolCallReader();
    const chunk = ['a', 'b', 'b'].map((id) => ({ id, function: { name: 'ping', arguments: '' } }));
    expect(chunk.map((call, at) => reader.read(call, at))).toEqual([
      begun(0, 'a', 'ping'),
      begun(1, 'b', 'ping'),
      undefined,
    ]);
  });

  it('passes a name on that comes late', () => {
    expect(
      readAll([
        { index: 0, id: 'a', type: 'function' },
        { index: 0, function: { name: 'f' } },
        { index: 0, function: { name: 'f', arguments: '{}' } },
        { index: 0, function: { name: 'f', arguments: '' } },
      ]),
    ).toEqual([
      { index: 0, id: 'a', name: undefined, arguments: '' },
      { index: 0, name: 'f', arguments: '' },
      { index: 0, arguments: '{}' },
      undefined,
    ]);
  });

  it('reads what is new in calls that are repeated as a whole', () => {
    const reader = new ToolCallReader();
    const call = (name: string | undefined, text: string): object => ({
      id: 'a',
      function: { name, arguments: text },
    });
    const read = (...calls: unknown[]): unknown => calls.map((one, at) => reader.readSnapshot(one, at));
    expect(read(call(undefined, ''))).toEqual([{ index: 0, id: 'a', name: undefined, arguments: '' }]);
    expect(read(call('f', ''))).toEqual([{ index: 0, name: 'f', arguments: '' }]);
    expect(read(call('f', '{"x"'))).toEqual([{ index: 0, arguments: '{"x"' }]);
    expect(read(call('f', '{"x":1}'), call('f', '{}'), 1)).toEqual([
      { index: 0, arguments: ':1}' },
      begun(1, 'a', 'f', '{}'),
      undefined,
    ]);
    expect(read(call('f', '{"x":1}'), call('f', '{}'))).toEqual([undefined, undefined]);
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

  it('passes over pieces that bring nothing, which would count as progress', () => {
    const piece = { index: 0, id: 'a', function: { name: 'f', arguments: '' } };
    expect(readAll([piece, piece, { index: 0, function: { arguments: '{}' } }, {}])).toEqual([
      begun(0, 'a', 'f'),
      undefined,
      { index: 0, arguments: '{}' },
      undefined,
    ]);
  });

  it('ends an answer of more calls than memory should be kept for', () => {
    const calls = Array.from({ length: MAX_CALLS }, (_, index) => ({ index, function: { name: 'f' } }));
    const reader = new ToolCallReader();
    expect(calls.map((call) => reader.read(call)?.index).at(-1)).toBe(MAX_CALLS - 1);
    expect(reader.read({ index: 0, function: { arguments: '{}' } })).toEqual({ index: 0, arguments: '{}' });
    const further = { index: MAX_CALLS, function: { name: 'f' } };
    const endless = expect.objectContaining({ fault: 'answer_endless' });
    expect(() => reader.read(further)).toThrow(endless);
    expect(() => reader.readSnapshot(further, MAX_CALLS)).toThrow(endless);
  });
});
