import { describe, expect, it } from '@jest/globals';
import { EventWriter } from './event-writer.js';
import { type Piece } from './sandbox-answer.js';
import { parseMarkers } from './sandbox-script.js';

describe('EventWriter', () => {
  function events(markers: string, pieces: readonly Piece[]): object[] {
    const writer = new EventWriter(parseMarkers(markers), 'c1', 40);
    return [...writer.start(), ...pieces.flatMap((piece) => writer.piece(piece)), ...writer.finish()];
  }
  const two: readonly Piece[] = [
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'a' },
    { type: 'text', text: 'bcdef' },
  ];

  it('numbers the events of a plain answer', () => {
    expect(events('', two)).toEqual([
      { type: 'start', conversation_id: 'c1', seq: 0 },
      { type: 'reasoning', text: 'hm', conversation_id: 'c1', seq: 1 },
      { type: 'text', text: 'a', conversation_id: 'c1', seq: 2 },
      { type: 'text', text: 'bcdef', conversation_id: 'c1', seq: 3 },
      { type: 'done', reason: 'stop', conversation_id: 'c1', seq: 4 },
    ]);
  });

  it('sends snapshots with `cumulative`', () => {
    expect(events('[[cumulative]]', two).slice(1, 4)).toEqual([
      { type: 'reasoning', text: 'hm', snapshot: true, conversation_id: 'c1', seq: 1 },
      { type: 'text', text: 'a', snapshot: true, conversation_id: 'c1', seq: 2 },
      { type: 'text', text: 'abcdef', snapshot: true, conversation_id: 'c1', seq: 3 },
    ]);
  });

  it('counts tokens in a usage event', () => {
    expect(events('[[usage]][[length]]', two).slice(4)).toEqual([
      {
        type: 'usage',
        prompt_tokens: 10,
        completion_tokens: 2,
        reasoning_tokens: 1,
        conversation_id: 'c1',
        seq: 4,
      },
      { type: 'done', reason: 'length', conversation_id: 'c1', seq: 5 },
    ]);
  });

  it('repeats events, and mixes in events of another conversation', () => {
    expect(events('[[duplicate]][[partial]]', [{ type: 'text', text: 'a' }])).toEqual([
      { type: 'start', conversation_id: 'c1', seq: 0 },
      { type: 'start', conversation_id: 'c1', seq: 0 },
      { type: 'text', text: 'a', conversation_id: 'c1', seq: 1 },
      { type: 'text', text: 'a', conversation_id: 'c1', seq: 1 },
    ]);
    const other = {
      type: 'text',
      text: 'This belongs to another conversation. ',
      conversation_id: 'other-c1',
    };
    expect(events('[[foreign]][[partial]]', [{ type: 'text', text: 'a' }])).toEqual([
      { type: 'start', conversation_id: 'c1', seq: 0 },
      { ...other, seq: 0 },
      { type: 'text', text: 'a', conversation_id: 'c1', seq: 1 },
      { ...other, seq: 1 },
    ]);
  });
});
