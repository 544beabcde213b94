import { CANCELLED } from '../../data/filters.js';
import { duration } from '../../data/format.js';
import { statusTone } from '../../data/tones.js';
import { h } from '../kit/dom.js';
import { badge } from '../kit/labels.js';
import { isUnderWay } from './waterfall.js';

/** The bar of an exchange: paler while it waited, full while it received. */
export function timingBar(bar) {
  const waited = h('i', { class: 'waited' });
  waited.style.left = `${bar.start * 100}%`;
  waited.style.width = `${bar.waited * 100}%`;
  const received = h('i', { class: 'received' });
  received.style.left = `${(bar.start + bar.waited) * 100}%`;
  received.style.width = `${bar.received * 100}%`;
  return h('span', { class: 'bar timing', 'aria-hidden': 'true' }, waited, received);
}

/** The status of an exchange, or what came in its place; a good one says nothing of an answer that broke off after it. */
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

/** Host and path, the path with more weight; the query stays, since secrets in it never get here. */
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

/** How long an exchange took, and what broke it off. */
export function timingText(record) {
  const { firstByteMs, totalMs, error } = record;
  const total = isUnderWay(record) ? 'still running' : totalMs !== undefined && duration(totalMs);
  const firstByte = firstByteMs !== undefined && `first byte after ${duration(firstByteMs)}`;
  return [total, firstByte, error !== CANCELLED && error].filter(Boolean).join(', ');
}
