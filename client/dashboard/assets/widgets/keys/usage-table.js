import { COUNTED } from '../../data/filters.js';
import { count, duration, percent } from '../../data/format.js';
import { h } from '../kit/dom.js';
import { UNNAMED } from '../kit/labels.js';
import { requestLink } from '../kit/request-link.js';
import { table } from '../kit/table.js';
import { emptyState } from '../shell/shell.js';

const DAY_MS = 86_400_000;
/** Groupings by time, with the length of each. */
const TIMES = { day: DAY_MS, week: 7 * DAY_MS };
/** Figures of a row, each with its head and the way it is written. */
const FIGURES = [
  ['requests', 'Requests', count],
  ['errors', 'Not served', count],
  ['promptTokens', 'Tokens in', count],
  ['completionTokens', 'Tokens out', count],
  ['cachedTokens', 'Cached', count],
  ['reasoningTokens', 'Reasoning', count],
  ['savedCharacters', 'Characters saved', count],
  ['queuedMs', 'Waited', duration],
];

/** Groupings of the figures, with the head of the column. */
const GROUPS = { key: 'Key', model: 'Model', account: 'Account', day: 'Day (UTC)', week: 'Week from (UTC)' };

/**
 * One row for each value of a field, with its share of all tokens: the most tokens first, or the latest time.
 *
 * @param {readonly any[]} rows of `/dashboard/api/usage`
 * @param {object} options
 * @param {'key' | 'model' | 'account' | 'day' | 'week'} options.by the field
 * @param {Record<string, string>} options.filters of the requests that the rows are about
 * @param {import('../kit/first-rows.js').FirstRows} options.first
 */
export function usageTable(rows, { by, filters, first }) {
  const sums = sumBy(rows, by);
  if (sums.length === 0) {
    return emptyState('Nothing used yet', 'Each completion counts for its key, by day, model and account.');
  }
  const all = sums.reduce((total, sum) => total + tokensOf(sum), 0);
  const figures = FIGURES.filter(([figure]) => rows[0][figure] !== undefined);
  const heads = figures.map(([, head]) => head);
  const shown = table({
    label: 'Table of usage',
    head: [GROUPS[by], ...heads, 'Share of tokens'],
    numbers: heads,
    rows: first.of(sums).map((sum) =>
      usageRow(sum[by] ? requestLink({ ...filters, ...filtersOf(sum[by], by) }, sum[by]) : UNNAMED[by], sum, {
        all,
        figures,
      }),
    ),
  });
  return [shown, first.rest(sums)];
}

/** Filters of the requests that a row adds up. */
function filtersOf(value, by) {
  if (!(by in TIMES)) {
    return { ...COUNTED, [by]: value };
  }
  const from = Date.parse(value);
  return { ...COUNTED, from, until: from + TIMES[by] };
}

function usageRow(name, sum, { all, figures }) {
  const share = all === 0 ? 0 : tokensOf(sum) / all;
  return h(
    'tr',
    { class: 'usage-row' },
    h('td', null, name),
    figures.map(([figure, , written]) => h('td', { class: 'number' }, written(sum[figure]))),
    h(
      'td',
      null,
      h(
        'div',
        { class: 'share-of-all' },
        h('span', null, percent(share)),
        h('meter', { class: 'share', value: share, min: '0', max: '1', 'aria-hidden': 'true' }),
      ),
    ),
  );
}

function sumBy(rows, by) {
  const sums = new Map();
  for (const row of rows) {
    const sum = sums.get(row[by]) ?? { [by]: row[by] };
    for (const [figure] of FIGURES) {
      sum[figure] = (sum[figure] ?? 0) + row[figure];
    }
    sums.set(row[by], sum);
  }
  const isLater = (a, b) => (a < b ? 1 : -1);
  return [...sums.values()].sort((a, b) => (by in TIMES ? isLater(a[by], b[by]) : tokensOf(b) - tokensOf(a)));
}

function tokensOf({ promptTokens, completionTokens }) {
  return promptTokens + completionTokens;
}
