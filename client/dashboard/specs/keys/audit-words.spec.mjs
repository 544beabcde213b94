import { expect, it } from '@jest/globals';
import { actionText, changeText } from '../../assets/widgets/keys/audit-words.js';

it('says what was done, and names an action that it does not know', () => {
  expect(actionText('account.clear_cooldown')).toBe('ended a cooldown');
  expect(actionText('moon.land')).toBe('moon.land');
});

it.each([
  [{ requestsPerMinute: 60_000, models: null, isEnabled: false }, 'requests per minute: 60,000, enabled: no'],
  [{ overlapMs: 0 }, 'overlap: 0 ms'],
  [{ outcome: 'left', durationMs: 5539 }, 'outcome: left, duration: 5.54 s'],
  [{ models: ['svc-max', 'svc-mini'] }, 'models: svc-max svc-mini'],
  [{ models: { small: { contextWindow: 1 } } }, 'models: {"small":{"contextWindow":1}}'],
  [{ POOL_QUEUE_LIMIT: 77, TOOL_COMPRESSION: true }, 'POOL_QUEUE_LIMIT: 77, TOOL_COMPRESSION: yes'],
  [{ models: null }, '–'],
  [null, '–'],
])('tells the change %j', (properties, text) => {
  expect(changeText(properties)).toBe(text);
});

it('tells a time as one', () => {
  expect(changeText({ expiresAt: Date.UTC(2030, 0, 31) })).toMatch(/^expires: 2030-01-3\d \d\d:\d\d/);
});
