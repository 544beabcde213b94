import { CANCELLED } from '../../data/filters.js';
import { duration } from '../../data/format.js';
import { statusTone } from '../../data/tones.js';
import { h } from '../kit/dom.js';
import { badge } from '../kit/labels.js';
import { isUnderWay } from './waterfall.js';

/** Timing bar of an exchange: pale until the response headers, full until the end. */
export function timingBar(bar) {
  const parts = [h('i', { class: 'waited' }), h('i', { class: 'received' })];
  return moveTimingBar(h('span', { class: 'bar timing', 'aria-hidden': 'true' }, parts), bar);
}

/** Gives a timing bar another place and other lengths. */
export function moveTimingBar(element, { start, waited, received }) {
  const place = ({ style }, from, length) => {
    style.left = `${from * 100}%`;
    style.width = `${length * 100}%`;
  };
  place(element.firstElementChild, start, waited);
  place(element.lastElementChild, start + waited, received);
  return element;
}

/** Badge of an exchange: its HTTP status, unless the exchange failed after a good one or has none. */
export function statusBadge({ status, error, totalMs }) {
  if (status !== undefined && (error === undefined || status >= 400)) {
    return badge({ text: String(status), tone: statusTone(status), icon: '' });
  }
  if (error !== undefined) {
    return error === CANCELLED
      ? badge({ text: 'cancelled', tone: 'none', icon: 'stop' })
      : badge({ text: 'failed', tone: 'bad', icon: 'cross' });
  }
  return totalMs === undefined
    ? badge({ text: 'running', tone: 'info', icon: 'wait' }, 'spin')
    : badge({ text: 'no answer', tone: 'none', icon: '' });
}

/** Host in a quiet tone, then path and query; secrets in the query are redacted by the log. */
export function addressOf(url) {
  let host = '';
  let rest = url;
  if (URL.canParse(url)) {
    const parsed = new URL(url);
    host = parsed.host;
    rest = url.slice(url.indexOf(host) + host.length) || '/';
  }
  return [host !== '' && h('span', { class: 'quiet' }, host), rest];
}

/** Duration and error of an exchange. */
export function timingText(record) {
  const { error } = record;
  return [timesText(record), error !== CANCELLED && error].filter(Boolean).join(', ');
}

/** How long an exchange took; empty if that is not known. */
export function timesText(record) {
  const { firstByteMs, totalMs } = record;
  const total = isUnderWay(record) ? 'still running' : totalMs !== undefined && duration(totalMs);
  const firstByte = firstByteMs !== undefined && `first byte after ${duration(firstByteMs)}`;
  return [total, firstByte].filter(Boolean).join(', ');
}
