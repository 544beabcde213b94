import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LineTooLongError } from './line-splitter.js';
import { SseDecoder } from './sse-decoder.js';

type Event = readonly [data: string, event: string];

function decode(pieces: readonly string[], limit?: number): Event[] {
  const events: Event[] = [];
  const decoder = new SseDecoder((data, event) => events.push([data, event]), limit);
  for (const piece of pieces) {
    decoder.push(piece);
  }
  decoder.end();
  return events;
}

const recorded =
  '\uFEFF: heartbeat\n\ndata: {"a":"é😀"}\n\nevent: delta\r\ndata: one\r\ndata:two\r\ndata\r\n\r\n' +
  'id: 7\rretry: 10\rdata:  spaced\r\rerror: {"code":400}\n\ndata: [DONE]\n\n';
const recordedEvents: Event[] = [
  ['{"a":"é😀"}', 'message'],
  ['one\ntwo\n', 'delta'],
  [' spaced', 'message'],
  ['{"code":400}', 'error'],
  ['[DONE]', 'message'],
];

describe('SseDecoder', () => {
  it.each<[string, string, Event[]]>([
    ['one event', 'data: a\n\n', [['a', 'message']]],
    ['a value without the space', 'data:a\n\n', [['a', 'message']]],
    ['only the first space is dropped', 'data:  a \n\n', [[' a ', 'message']]],
    ['several data lines', 'data: a\ndata: b\n\n', [['a\nb', 'message']]],
    [
      'empty data',
      'data:\n\ndata\n\ndata\ndata\n\n',
      [
        ['', 'message'],
        ['', 'message'],
        ['\n', 'message'],
      ],
    ],
    ['comments', ': x\ndata: a\n:\n: y\n\n', [['a', 'message']]],
    [
      'an event name, for one event only',
      'event: e\ndata: a\n\ndata: b\n\n',
      [
        ['a', 'e'],
        ['b', 'message'],
      ],
    ],
    ['a name without data is no event', 'event: e\n\ndata: b\n\n', [['b', 'message']]],
    ['a name taken back', 'event: e\nevent\ndata: b\n\n', [['b', 'message']]],
    [
      'an error as a field of its own, as llama.cpp sent it until September 2025',
      'error: {"code":400}\n\ndata: [DONE]\n\nerror:x\n',
      [
        ['{"code":400}', 'error'],
        ['[DONE]', 'message'],
        ['x', 'error'],
      ],
    ],
    ['fields without meaning', 'dataset: x\ndat: x\nid: 1\nfoo\nDATA: x\ndata: a\n\n', [['a', 'message']]],
    ['blank lines only', '\n\n\r\n\r', []],
    [
      'no blank line at the end',
      'data: a\n\ndata: b\n',
      [
        ['a', 'message'],
        ['b', 'message'],
      ],
    ],
    [
      'no line end at the end',
      'data: a\n\ndata: b',
      [
        ['a', 'message'],
        ['b', 'message'],
      ],
    ],
  ])('reads %s', (_what, text, events) => {
    expect(decode([text])).toEqual(events);
  });

  it('gives the same events at every split position', () => {
    for (let at = 0; at <= recorded.length; at++) {
      expect(decode([recorded.slice(0, at), recorded.slice(at)])).toEqual(recordedEvents);
    }
    expect(decode([...recorded])).toEqual(recordedEvents);
  });

  it('gives the same events however the text is cut', () => {
    const line = fc.constantFrom(
      'data: a',
      'data:b',
      'data',
      'event: e',
      ': c',
      '',
      '',
      'id: 1',
      'data: 😀',
      'error: e',
    );
    const stream = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')));
    const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
    fc.assert(
      fc.property(stream, lengths, (lines, cycle) => {
        const whole = lines.flat().join('');
        const pieces: string[] = [];
        for (let at = 0; at < whole.length; at += pieces.at(-1)!.length) {
          pieces.push(whole.slice(at, at + cycle[pieces.length % cycle.length]!));
        }
        expect(decode(pieces)).toEqual(decode([whole]));
      }),
    );
  });

  it('reports an event as soon as its blank line is there', () => {
    const events: Event[] = [];
    const decoder = new SseDecoder((data, event) => events.push([data, event]));
    decoder.push('data: a\r\n\r');
    expect(events).toEqual([['a', 'message']]);
    decoder.push('\ndata: b\n\n');
    expect(events).toEqual([
      ['a', 'message'],
      ['b', 'message'],
    ]);
  });

  it('refuses an event whose lines together are longer than the limit', () => {
    expect(decode(['data: 123\ndata: 45\n\n'], 9)).toEqual([['123\n45', 'message']]);
    expect(() => decode(['data: 123\ndata: 456\ndata: 78\n\n'], 9)).toThrow(LineTooLongError);
    expect(() => decode(['data: 12345\n'], 9)).toThrow(LineTooLongError);
  });
});
