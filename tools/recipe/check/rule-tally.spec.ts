import { describe, expect, it } from '@jest/globals';
import { type ReadingRules } from '../../../src/upstream/web/capture/reading/record-reader.js';
import { RuleTally } from './rule-tally.js';

const RULES: ReadingRules = {
  skipsUnreadable: false,
  format: 'sse',
  delivery: 'append',
  answer: {
    content: [{ path: 'choices[0].delta.content' }, { path: 'text' }],
    reasoning: [{ path: 'choices[0].delta.reasoning' }],
    usage: { promptTokens: 'usage.in', completionTokens: 'usage.out' },
    done: [{ data: '[DONE]' }, { when: [{ path: 'type', equals: 'end' }] }],
    error: [{ event: 'error' }],
    bind: [],
  },
};

function counts(records: readonly [string, string?][], rules = RULES): RuleTally {
  const tally = new RuleTally(rules);
  records.forEach(([data, event = 'message']) => tally.take(data, event, true));
  return tally;
}

describe('RuleTally', () => {
  it('counts each rule for itself', () => {
    const tally = counts([
      ['{"choices":[{"delta":{"content":"a","reasoning":"b"}}]}'],
      ['{"choices":[{"delta":{"content":"c"}}],"usage":{"in":1,"out":2}}'],
      ['{"choices":[{"delta":{"content":""}}]}'],
      ['{"ping":true}'],
      ['{"message":"no"}', 'error'],
      ['not JSON'],
      ['[DONE]'],
    ]);
    expect(tally.counts).toEqual([
      { path: 'capture.answer.content[0]', count: 2 },
      { path: 'capture.answer.content[1]', count: 0 },
      { path: 'capture.answer.reasoning[0]', count: 1 },
      { path: 'capture.answer.usage', count: 1 },
      { path: 'capture.answer.done[0]', count: 1 },
      { path: 'capture.answer.done[1]', count: 0 },
      { path: 'capture.answer.error[0]', count: 1 },
    ]);
    expect(tally).toMatchObject({
      total: 7,
      unused: ['{"choices":[{"delta":{"content":""}}]}', '{"ping":true}'],
      unreadable: ['not JSON'],
    });
  });

  it('counts no record that the driver passes over', () => {
    const tally = new RuleTally(RULES);
    tally.take('{"text":"a"}', 'message', true);
    tally.take('{"text":"NO"}', 'message', false);
    tally.take('2probe', 'message', false);
    expect(tally.counts[1]).toEqual({ path: 'capture.answer.content[1]', count: 1 });
    expect(tally).toMatchObject({ total: 3, passedOver: ['{"text":"NO"}'], unreadable: ['2probe'] });
  });

  it('counts snapshots that grow, and not those that repeat', () => {
    const rules = { ...RULES, delivery: 'snapshot' as const };
    const tally = counts([['{"text":"a"}'], ['{"text":"a"}'], ['{"text":"ab"}']], rules);
    expect(tally.counts[1]).toEqual({ path: 'capture.answer.content[1]', count: 2 });
  });

  it('takes plain text without rules as the answer', () => {
    const answer = { content: [], reasoning: [], done: [], error: [], bind: [] };
    const tally = counts([['Hello '], ['there']], { ...RULES, format: 'text', answer });
    expect(tally.counts).toEqual([{ path: 'capture.format', count: 2 }]);
  });
});
