import { exact } from '../../data/format.js';
import { limitsInUse } from '../../data/key-limits.js';
import { h } from '../kit/dom.js';
import { timeLeft } from '../kit/ticker.js';
import { limitMeters } from './limit-meters.js';

/**
 * The limits of the key in use: what is used of each, and when there is more; and what else the key is bound to.
 *
 * @param {any} key of `/dashboard/api/own-key`
 * @param {number} usedToday tokens, on all gateways
 */
export function ownLimits(key, usedToday) {
  const limits = limitsInUse(key, { usedToday, isDivided: key.isDivided });
  return h(
    'div',
    { class: 'own-limits' },
    limits.length === 0
      ? h('p', null, 'This key has no limits.')
      : limits.map((limit) =>
          h('div', null, limitMeters([limit]), h('p', { class: 'quiet' }, whenMore(limit.name, key))),
        ),
    h('p', { class: 'quiet' }, boundsOf(key).join(' ')),
  );
}

function whenMore(name, { waitMs, dayEndsMs }) {
  if (name === 'tokensPerDay') {
    return ['Counted anew in ', timeLeft(dayEndsMs), ', at midnight UTC.'];
  }
  if (name === 'concurrentRequests') {
    return 'Those under way now.';
  }
  return waitMs > 0
    ? ['The next one may be sent in ', timeLeft(waitMs), '.']
    : 'Those sent within the last 60 seconds.';
}

function boundsOf({ models, priority, expiresAt, secret }) {
  return [
    models === null ? 'It may use all models.' : `It may use the models ${models.join(', ')}.`,
    priority === 'batch' && 'Its requests wait longer than others when sessions are short.',
    expiresAt === null ? 'It does not expire.' : `It expires at ${toSecond(expiresAt)}.`,
    secret &&
      (secret.expiresAt === null
        ? `Its secret was made at ${toSecond(secret.createdAt)}.`
        : `It was rotated: the secret in use here is accepted until ${toSecond(secret.expiresAt)}.`),
  ].filter(Boolean);
}

/** @param {number} at Unix milliseconds */
function toSecond(at) {
  return exact(at).replace(/\.\d+/, '');
}
