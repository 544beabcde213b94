import { describe, expect, it } from '@jest/globals';
import { assistantMessage, UserTurn } from './turns.js';

const CALL = { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } } as const;

describe('assistantMessage', () => {
  it('has no content where only calls were made', () => {
    expect(assistantMessage('', 'Hm.', [CALL])).toEqual({
      role: 'assistant',
      content: null,
      reasoning_content: 'Hm.',
      tool_calls: [CALL],
    });
    expect(assistantMessage('', '', [])).toEqual({ role: 'assistant', content: '' });
  });
});

describe('UserTurn', () => {
  it('makes messages of results, and keeps the text between them in its place', () => {
    const turn = new UserTurn();
    const result = { role: 'tool', tool_call_id: 'call_1', content: 'found' } as const;
    turn.say(['Before,', 'in two parts.']);
    turn.addResult(result);
    turn.addResult(result);
    turn.say(['Behind.']);
    expect(turn.messages()).toEqual([
      { role: 'user', content: 'Before,\n\nin two parts.' },
      result,
      result,
      { role: 'user', content: 'Behind.' },
    ]);
  });
});
