import { describe, expect, it } from '@jest/globals';
import { EventStreamReader } from '../assets/data/event-stream.js';

const TEXT =
  ': heartbeat\n\nid: 7\ndata: {"a":1}\n\n\ndata:one\r\ndata: two\r\nevent: x\r\n\r\nid\ndata\n\ndata: unfinished';
const EVENTS = [
  { data: '{"a":1}', id: '7' },
  { data: 'one\ntwo', id: '7' },
  { data: '', id: '' },
];

describe('EventStreamReader', () => {
  it('reads the same events at every cut of the text', () => {
    for (let first = 0; first <= TEXT.length; first++) {
      for (let second = first; second <= TEXT.length; second += 3) {
        const reader = new EventStreamReader();
        const pieces = [TEXT.slice(0, first), TEXT.slice(first, second), TEXT.slice(second)];
        expect(pieces.flatMap((piece) => reader.read(piece))).toEqual(EVENTS);
      }
    }
  });
});
