import { describe, expect, it } from '@jest/globals';
import { effortSetBy } from './effort-changes.js';

const ASK = { role: 'user', content: 'Hi' };
const ANSWER = { role: 'assistant', content: 'Yes?' };
const RESULT = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't' }] };
const NOTE = { role: 'system', content: 'Be brief.' };
const set = (effort: unknown): object => ({ role: 'system', content: [], output_config: { effort } });

// https://platform.claude.com/docs/en/build-with-claude/effort-per-message
describe('effortSetBy', () => {
  it.each<[unknown, unknown]>([
    [[ASK], undefined],
    [[ASK, ANSWER, set('low'), ASK], 'low'],
    [[ASK, set('low')], 'low'],
    [[ASK, NOTE, set('low')], 'low'],
    [[ASK, set('low'), ANSWER, ASK], 'low'],
    [[ASK, set('low'), ANSWER, set('max'), ASK], 'max'],
    [[ASK, set('low'), ANSWER, set(null), ASK], 'low'],
    [[ASK, set('low'), ANSWER, RESULT], 'low'],
    [[ASK, set('low'), ANSWER, RESULT, set('max')], 'low'],
    [[ASK, ANSWER, RESULT, set('max')], undefined],
    [[ASK, ANSWER, RESULT, set('max'), ANSWER, ASK], 'max'],
    [[{ role: 'user', output_config: { effort: 'low' }, content: 'Hi' }], undefined],
    [[null, { role: 'system', output_config: 'low' }], undefined],
    ['low', undefined],
  ])('reads from %j the effort %s', (messages, effort) => {
    expect(effortSetBy(messages)).toBe(effort);
  });
});
