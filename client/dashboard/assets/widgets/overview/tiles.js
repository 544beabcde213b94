import { COUNTED } from '../../data/filters.js';
import { cachedShare, compact, count, duration, percent } from '../../data/format.js';
import { errorTone, servedShares } from '../../data/served.js';
import { h, syncList } from '../kit/dom.js';
import { redraw } from '../kit/redraw.js';
import { requestLink } from '../kit/request-link.js';

/**
 * Shows the figures of the overview, each leading to its requests.
 *
 * @param {HTMLElement} place
 * @param {{ totals: any, pool: any, filters: Record<string, string>, showReasons: () => void }} figures `filters`: of
 *   the requests that are counted; `showReasons`: opens the table of failures below
 */
export function showTiles(place, { totals, pool, filters, showReasons }) {
  const { share, ofAll, tone } = servedShares(totals);
  const tiles = [
    [
      'Running',
      count(totals.running),
      pool.waiting > 0 ? `${count(pool.waiting)} waiting` : 'none waiting',
      '',
      { ...COUNTED, status: 'pending', sort: 'slowest' },
    ],
    ['Requests', count(totals.requests), `${count(totals.cancelled)} cancelled`, '', filters],
    [
      'Served',
      percent(share),
      ofAll === undefined ? 'of what could be served' : `${percent(ofAll)} of all that ended`,
      tone,
      { ...filters, status: 'ok' },
    ],
    [
      'Errors',
      count(totals.errors),
      byReason(totals, showReasons),
      errorTone(totals),
      { ...filters, status: 'failed' },
    ],
    [
      'Duration',
      duration(totals.p50Ms ?? undefined),
      `95 of 100 within ${duration(totals.p95Ms ?? undefined)}`,
      '',
      { ...filters, sort: 'slowest' },
    ],
    ['First token', duration(totals.firstTokenP50Ms ?? undefined), 'median'],
    ['Tokens out', compact(totals.completionTokens), tokensIn(totals), '', { ...filters, sort: 'largest' }],
  ];
  syncList(place, tiles, {
    key: ([name]) => name,
    create: (tile) => fillTile(h('div', { class: 'tile' }), tile),
    update: fillTile,
  });
}

/** Whose the errors are, what is not among them, and the way to their reasons. */
function byReason({ errors, clientErrors, rateLimited }, showReasons) {
  const text = `${count(clientErrors)} by callers, plus ${count(rateLimited)} limited`;
  return errors + rateLimited > 0
    ? h('a', { href: '#capacity', title: 'Failures by reason', onclick: showReasons }, text)
    : text;
}

function tokensIn(totals) {
  const cached = cachedShare(totals);
  return `${compact(totals.promptTokens)} in${cached && `, ${cached} cached`}`;
}

/** @param {any[]} tile name, figure, remark, tone, and filters of the requests that it counts */
function fillTile(element, [name, value, more, tone, filters]) {
  element.dataset.tone = tone || '';
  const label = filters ? requestLink(filters, name) : name;
  redraw(element, [h('dt', null, label), h('dd', null, value), h('dd', { class: 'quiet' }, more)]);
  return element;
}
