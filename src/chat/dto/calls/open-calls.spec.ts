import { describe, expect, it } from '@jest/globals';
import { OpenCalls } from './open-calls.js';

/** Calls of these tools, without ids. */
function opened(...names: string[]): OpenCalls {
  const calls = new OpenCalls();
  names.forEach((name) => calls.open(name));
  return calls;
}

describe('OpenCalls', () => {
  it('gives calls ids, and keeps those that they have', () => {
    const calls = new OpenCalls();
    expect([calls.open('a'), calls.open('a', 'own'), calls.open('b')]).toEqual(['call_0', 'own', 'call_1']);
  });

  it('finds the call of a result by the name of its tool, else by their order', () => {
    const named = opened('read', 'write', 'read');
    expect(['write', 'read', 'read'].map((name) => named.answer(name))).toEqual([
      'call_1',
      'call_0',
      'call_2',
    ]);
    const unnamed = opened('read', 'write');
    expect([unnamed.answer(undefined), unnamed.answer('other')]).toEqual(['call_0', 'call_1']);
  });

  it('leaves the other calls of a tool to its other results', () => {
    const calls = opened('read', 'read');
    expect([calls.answer('read', 'call_0'), calls.answer('read')]).toEqual(['call_0', 'call_1']);
  });

  // @effect/ai-google 0.15 sends the ids of results alone.
  it('knows calls without ids by the ids of their results', () => {
    const calls = opened('read', 'write', 'read');
    expect([calls.answer('read', 'a'), calls.answer('read', 'b'), calls.answer('read', 'a')]).toEqual([
      'call_0',
      'call_2',
      'call_0',
    ]);
    expect([calls.answer('write', 'c'), calls.answer('write', 'd')]).toEqual(['call_1', 'd']);
  });

  it('takes a result without a call', () => {
    const calls = new OpenCalls();
    calls.open('read', 'own');
    expect([
      opened().answer('read'),
      opened('read').answer('other', 'lost'),
      calls.answer('read', 'lost'),
    ]).toEqual(['call_0', 'lost', 'lost']);
  });
});
