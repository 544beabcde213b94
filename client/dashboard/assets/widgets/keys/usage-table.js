import { count } from '../../data/format.js';
import { h } from '../kit/dom.js';
import { table } from '../kit/table.js';
import { emptyState } from '../shell/shell.js';

const FIGURES = ['requests', 'errors', 'promptTokens', 'completionTokens', 'cachedTokens', 'reasoningTokens'];
const HEADS = ['Requests', 'Errors', 'Tokens in', 'Tokens out', 'Cached', 'Reasoning'];

/** One row a key, the most tokens first, with its share of all tokens as a bar. */
export function usageTable(rows) {
  const sums = sumByKey(rows);
  if (sums.length === 0) {
    return emptyState('Nothing used yet', 'Each completion counts for its key, by day, model and account.');
  }
  const all = sums.reduce((total, sum) => total + tokensOf(sum), 0);
  return table({
    label: 'Table of usage',
    head: ['Key', ...HEADS, 'Share of tokens'],
    numbers: HEADS,
    rows: sums.map((sum) => usageRow(sum, all)),
  });
}

function usageRow(sum, all) {
  const share = all === 0 ? 0 : tokensOf(sum) / all;
  const label = `${Math.round(share * 100)} % of the tokens`;
  return h(
    'tr',
    { class: 'usage-row' },
    h('td', null, sum.key === '' ? '(no key)' : sum.key),
    FIGURES.map((name) => h('td', { class: 'number' }, count(sum[name]))),
    h(
      'td',
      null,
      h('meter', { class: 'share', value: share, min: '0', max: '1', 'aria-label': label }, label),
    ),
  );
}

function sumByKey(rows) {
  const sums = new Map();
  for (const row of rows) {
    const sum = sums.get(row.key) ?? { key: row.key };
    for (const name of FIGURES) {
      sum[name] = (sum[name] ?? 0) + row[name];
    }
    sums.set(row.key, sum);
  }
  return [...sums.values()].sort((a, b) => tokensOf(b) - tokensOf(a));
}

function tokensOf({ promptTokens, completionTokens }) {
  return promptTokens + completionTokens;
}
