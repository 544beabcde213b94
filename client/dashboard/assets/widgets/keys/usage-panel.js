import { serverNow } from '../../data/server-clock.js';
import { usageByDay, withWeeks } from '../../data/usage-by-day.js';
import { byId } from '../kit/dom.js';
import { FirstRows } from '../kit/first-rows.js';
import { redrawTable } from '../kit/redraw.js';
import { usageChart } from './usage-chart.js';
import { usageTable } from './usage-table.js';

/** The chart and the table of usage, over the days and by the grouping that are chosen on the page. */
export class UsagePanel {
  #filters;
  #chart;
  #rows = [];
  #first = new FirstRows(() => this.show());

  /** @param {Record<string, string>} filters of the requests that are counted */
  constructor(filters) {
    this.#filters = filters;
    this.#chart = usageChart(byId('usage-chart'), filters);
  }

  /** Days to read, up to the present one. */
  get days() {
    return Number(byId('usage-days').value);
  }

  /** @param {readonly any[]} [rows] of `/dashboard/api/usage`; by default as shown last, in another grouping */
  show(rows = this.#rows) {
    this.#rows = rows;
    const by = byId('usage-by').value;
    const range = { days: this.days, now: serverNow(), by };
    const grouped = by === 'week' ? withWeeks(rows, range) : rows;
    this.#chart.show({ series: usageByDay(grouped, range) });
    redrawTable(byId('usage'), usageTable(grouped, { by, filters: this.#filters, first: this.#first }));
  }
}
