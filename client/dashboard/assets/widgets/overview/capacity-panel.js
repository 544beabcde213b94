import { getJson } from '../../data/api.js';
import { cachedShare, compact, count, duration, NONE, percent } from '../../data/format.js';
import { Chart } from '../kit/chart.js';
import { fill, h } from '../kit/dom.js';
import { UNNAMED } from '../kit/labels.js';
import { redraw } from '../kit/redraw.js';
import { released } from '../kit/released.js';
import { requestLink } from '../kit/request-link.js';
import { table } from '../kit/table.js';
import { failureTable } from './failure-table.js';

const MINUTE_MS = 60_000;
/** They are added up over all requests of the time, so not with every refresh of the page. */
const FRESH_MS = 15_000;
const KINDS = {
  model: 'Model',
  account: 'Account',
  client: 'Client',
  key: 'Key',
  reason: 'Reason',
};
const FIGURES = [
  'Requests',
  'Share',
  'Succeeded',
  'Median duration',
  '95 of 100 within',
  'Tokens in',
  'Cached',
  'Tokens out',
  'Characters saved',
];

/** Whether the pool is large enough, over time and in a sentence, and for what it is used. */
export class CapacityPanel {
  #place;
  #advice = h('p', { class: 'advice' });
  #plot = h('div', { class: 'chart' });
  #chart = capacityChart(this.#plot);
  #table = h('div');
  #kind = 'model';
  #breakdown;
  #filters;
  #minutes;
  #readAt = -Infinity;
  #element = h(
    'section',
    { class: 'panel capacity', 'aria-labelledby': 'capacity-title' },
    h('h2', { id: 'capacity-title' }, 'Is it enough?'),
    this.#advice,
    this.#plot,
    this.#choices(),
    this.#table,
  );

  /** @param {HTMLElement} place stays empty until there is something to show */
  constructor(place) {
    this.#place = place;
  }

  /**
   * Reads the figures, unless they are fresh; a failure leaves the last ones, and so does an answer that comes after other
   * minutes were chosen.
   *
   * @param {string} minutes
   * @param {Record<string, string>} filters of the requests of that time
   */
  async refresh(minutes, filters) {
    const now = performance.now();
    if (minutes === this.#minutes && now - this.#readAt < FRESH_MS) {
      return;
    }
    this.#minutes = minutes;
    this.#readAt = now;
    try {
      const capacity = await getJson(`/dashboard/api/capacity?minutes=${minutes}`);
      await released();
      if (minutes !== this.#minutes) {
        return;
      }
      this.#filters = filters;
      if (this.#element.parentElement !== this.#place) {
        fill(this.#place, this.#element);
      }
      this.#show(capacity);
    } catch {
      if (minutes === this.#minutes) {
        this.#readAt = -Infinity;
      }
    }
  }

  /** Shows the figures by another kind. @param {keyof typeof KINDS} kind */
  choose(kind) {
    this.#kind = kind;
    this.#element.querySelector(`[name="breakdown"][value="${kind}"]`).checked = true;
    if (this.#breakdown) {
      this.#showTable();
    }
  }

  #show({ advice, minutes, breakdown }) {
    this.#advice.textContent = advice;
    this.#chart.show({ series: toSeries(minutes), totals: toPeaks(minutes) });
    this.#breakdown = breakdown;
    this.#showTable();
  }

  #choices() {
    const choices = Object.entries(KINDS).map(([kind, text]) => {
      const input = h('input', {
        type: 'radio',
        name: 'breakdown',
        value: kind,
        checked: kind === this.#kind,
      });
      input.addEventListener('change', () => this.choose(kind));
      return h('label', null, input, h('span', null, text));
    });
    return h('fieldset', { class: 'segmented' }, h('legend', { class: 'unseen' }, 'By'), choices);
  }

  #showTable() {
    const { rows, isPartial } = this.#breakdown;
    const shown = rows[this.#kind];
    redraw(this.#table, [
      this.#kind === 'reason'
        ? failureTable(shown, this.#filters)
        : shown.length > 0 && figureTable(this.#kind, shown, this.#filters),
      isPartial && h('p', { class: 'quiet' }, 'Of the latest 50,000 requests of this period.'),
    ]);
  }
}

function figureTable(kind, rows, filters) {
  const all = rows.reduce((sum, { requests }) => sum + requests, 0);
  return table({
    label: `Requests by ${kind}`,
    head: [KINDS[kind], ...FIGURES],
    numbers: FIGURES,
    rows: rows.map((row) => rowOf(row, all, nameOf(row, kind, filters))),
  });
}

/** The name leads to the requests of its row; those without one cannot be looked for by it. */
function nameOf({ name }, kind, filters) {
  return name === '' ? UNNAMED[kind] : requestLink({ ...filters, [kind]: name }, name);
}

function rowOf(row, all, name) {
  const { requests, succeeded, p50Ms, p95Ms, promptTokens, completionTokens, savedCharacters } = row;
  const cells = [
    count(requests),
    percent(requests / all),
    percent(succeeded / requests),
    duration(p50Ms),
    duration(p95Ms),
    compact(promptTokens),
    cachedShare(row) || NONE,
    compact(completionTokens),
    savedCharacters > 0 ? compact(savedCharacters) : NONE,
  ];
  return h(
    'tr',
    null,
    h('td', null, name),
    cells.map((cell) => h('td', { class: 'number' }, cell)),
  );
}

function capacityChart(place) {
  const line = (label, colour, name) => {
    return { label, colour, values: (series) => series[name], whole: (peaks) => peaks[name] };
  };
  return new Chart(place, {
    title: 'Sessions and waiting over time',
    empty: 'No requests in this period',
    format: (value) => (Number.isInteger(value) ? count(value) : ''),
    lines: [
      line('Capacity', '--info-fill', 'capacity'),
      line('In use', '--ok-fill', 'leases'),
      line('Waiting', '--bad-fill', 'waiting'),
    ],
    describe: ({ waiting }) => `At most ${count(Math.max(0, ...waiting))} waited.`,
  });
}

function toSeries(minutes) {
  const column = (name) => minutes.map((minute) => minute[name]);
  return {
    t: column('at'),
    bucketMs: MINUTE_MS,
    ...Object.fromEntries(['capacity', 'leases', 'waiting'].map((name) => [name, column(name)])),
  };
}

function toPeaks(minutes) {
  const peak = (name) => Math.max(0, ...minutes.map((minute) => minute[name]));
  return { capacity: peak('capacity'), leases: peak('leases'), waiting: peak('waiting') };
}
