import { clockTime } from '../../data/format.js';
import { serverNow } from '../../data/server-clock.js';
import { h } from '../kit/dom.js';
import { timeLeft } from '../kit/ticker.js';

/**
 * For how long an account cools, for which model if only for one, and why.
 *
 * @param {any} cooldown as `/dashboard/api/accounts` shows it
 */
export function cooldownNote({ remainingMs, until, cause, model }) {
  const what = model === undefined ? 'it is used again' : `it is used again for ${model}`;
  return h(
    'div',
    { class: 'trouble limit' },
    h('strong', null, timeLeft(remainingMs, { class: 'clock' })),
    h('span', null, `until ${what} (${clockTime(until, serverNow())})`),
    h('span', { class: 'cause' }, cause),
  );
}
