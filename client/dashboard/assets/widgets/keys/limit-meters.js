import { h } from '../kit/dom.js';

/** What is used of each limit, in words and as a bar. @param {ReturnType<import('../../data/key-limits.js').limitsInUse>} limits */
export function limitMeters(limits) {
  return limits.map(({ text, used, limit, isClose, isUsedUp }) =>
    h(
      'div',
      { class: ['limit', isClose && 'close', isUsedUp && 'used-up'].filter(Boolean).join(' ') },
      h('span', null, text),
      h(
        'meter',
        {
          class: 'share',
          value: Math.min(used, limit),
          min: '0',
          max: String(limit),
          // Browsers colour by these what is too much.
          ...(isClose && { high: '0', optimum: '0' }),
          ...(isUsedUp && { low: String(limit / 3), high: String(limit / 2) }),
          'aria-label': text,
        },
        text,
      ),
    ),
  );
}
