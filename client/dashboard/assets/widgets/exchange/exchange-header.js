import { h } from '../kit/dom.js';

/**
 * Header with the names of the columns; hidden in the card layout.
 *
 * @param {boolean} isWaterfall whether the bars stand on one axis of time
 */
export function exchangeHeader(isWaterfall) {
  const names = {
    time: 'Time',
    status: 'Status',
    address: 'Method and address',
    account: 'Account',
    size: 'Size',
    timing: isWaterfall ? 'Timing' : 'Timing (log)',
    took: '',
  };
  const cells = Object.entries(names).map(([cell, name]) => h('span', { class: cell }, name));
  return h(
    'div',
    { class: 'exchange-line exchange-head', 'aria-hidden': 'true' },
    h('div', { class: 'exchange' }, cells),
    h('span', { class: 'request' }, 'Request'),
  );
}
