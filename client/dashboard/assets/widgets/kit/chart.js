import { COUNTED, filterQuery } from '../../data/filters.js';
import { NONE, utcDay, zoneOffset } from '../../data/format.js';
import { spanText } from '../../data/time-spans.js';
import uPlot from '../../uplot/uPlot.esm.js';
import { h } from './dom.js';
import { themeChanges } from './theme.js';

const HEIGHT_PX = 190;
/** Size of the page's text for which the sizes here are meant. */
const TEXT_PX = 14;

/**
 * @typedef {{ label: string, colour: string, values: (series: any) => (number | null)[],
 *   whole: (totals: any) => number | null, own?: (series: any) => (number | null)[] }} Line `colour`: name of a CSS custom property; `whole`: figure for
 *   the whole range; `own`: values of the line alone where `values` are stacked
 */

/** A chart whose data can be replaced without touching the elements around it. */
export class Chart {
  #place;
  #lines = [];
  #options;
  #plot;
  #series;
  #totals;
  #empty = h('p', { class: 'chart-empty', hidden: true });
  #figure = h('div', { class: 'chart-figure', role: 'img' });

  /**
   * @param {HTMLElement} place
   * @param {{ title: string, empty: string, lines: readonly Line[] | ((series: any) => readonly Line[]),
   *   format: (value: number) => string, axis?: (value: number) => string, bars?: boolean,
   *   band?: { between: [number, number], colour: string }, days?: boolean, filters?: Record<string, string>,
   *   describe: (series: any) => string }} options
   *   `band`: fills what is between two lines, by their places; `axis`: the format of its numbers, of six characters at
   *   most; `days`: the buckets are days in UTC; `filters`: of the requests of a bucket
   */
  constructor(place, options) {
    this.#place = place;
    this.#options = options;
    this.#figure.setAttribute('aria-label', options.title);
    place.replaceChildren(this.#figure, this.#empty);
    this.#figure.addEventListener('click', () => this.#openBucket());
    new ResizeObserver(() => this.#fit()).observe(place);
    themeChanges.addEventListener('change', () => this.#rebuild());
  }

  /** @param {{ series: any, totals?: any }} overview of `/dashboard/api/overview` */
  show({ series, totals }) {
    this.#series = series;
    this.#totals = totals;
    const labels = this.#labels;
    this.#lines = linesOf(this.#options, series);
    const data = this.#data();
    const isEmpty = data.slice(1).every((values) => values.every((value) => !value));
    this.#empty.hidden = !isEmpty;
    this.#empty.textContent = this.#options.empty;
    this.#figure.setAttribute('aria-label', `${this.#options.title}. ${this.#options.describe(series)}`);
    if (this.#plot && this.#labels === labels) {
      this.#plot.setData(data);
    } else {
      this.#rebuild();
    }
  }

  get #labels() {
    return this.#lines.map(({ label }) => label).join('\n');
  }

  #data() {
    const columns = this.#lines.map(({ values }) => values(this.#series));
    return [this.#series.t, ...columns];
  }

  #fit() {
    this.#plot?.setSize({ width: this.#place.clientWidth, height: HEIGHT_PX * textScale() });
  }

  #rebuild() {
    if (!this.#series) {
      return;
    }
    this.#plot?.destroy();
    this.#plot = new uPlot(this.#plotOptions(), this.#data(), this.#figure);
  }

  #plotOptions() {
    const { format, axis: axisText = format, bars, band, days } = this.#options;
    const scale = textScale();
    const axis = {
      stroke: colour('--quiet'),
      font: `${12 * scale}px system-ui, sans-serif`,
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
    };
    return {
      width: this.#place.clientWidth,
      height: HEIGHT_PX * scale,
      ms: 1,
      ...(days && { tzDate: (at) => uPlot.tzDate(new Date(at), 'UTC') }),
      legend: { live: true },
      bands: band && [{ series: band.between.map((line) => line + 1), fill: lineColour(band) }],
      cursor: { y: false, drag: { x: true, y: false, setScale: false } },
      hooks: {
        setSelect: [(plot) => this.#open(plot)],
        draw: bars ? [hatchLast(() => this.#series.bucketMs)] : [],
      },
      // On the right, room for half of the last label.
      padding: [null, 28 * scale, null, null],
      scales: {
        // Half a bucket of margin on both sides, or the outer bars would be cut.
        x: { range: (_plot, min, max) => [min - this.#series.bucketMs / 2, max + this.#series.bucketMs / 2] },
        y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.1 : 1] },
      },
      axes: [
        { ...axis, grid: { show: false }, space: 70 * scale, size: 50 * scale, values: TIMES },
        {
          ...axis,
          size: 62 * scale,
          // Without a value, the scale is arbitrary.
          values: (_plot, ticks) =>
            ticks.map((tick) => (!this.#empty.hidden ? '' : tick === 0 ? '0' : axisText(tick))),
        },
      ],
      series: [
        { label: 'Time', value: (_plot, at) => this.#timeAt(at) },
        ...this.#lines.map((line, at) => ({
          label: line.label,
          stroke: lineColour(line),
          width: bars ? 0 : 1.8,
          fill: bars ? lineColour(line) : undefined,
          points: bars ? { show: false } : { show: areFew, size: 5, fill: lineColour(line) },
          paths: bars ? uPlot.paths.bars({ size: [0.82, 60], radius: 0.12 }) : undefined,
          spanGaps: false,
          value: (_plot, _value, _series, index) => this.#valueAt(at, index),
        })),
      ],
    };
  }

  /** Legend text: the bucket under the pointer, and always the zone of the axis. @param {number | null} at its beginning */
  #timeAt(at) {
    const { t, bucketMs } = this.#series;
    if (this.#options.days) {
      return at === null ? 'UTC' : `${utcDay(at)} UTC`;
    }
    const zone = `UTC${zoneOffset(at ?? t.at(-1))}`;
    return at === null ? zone : `${spanText({ from: at, until: at + bucketMs })} ${zone}`;
  }

  get #filters() {
    return { ...COUNTED, ...this.#options.filters };
  }

  /** Opens the requests of the bucket under the pointer. */
  #openBucket() {
    const { cursor, select } = this.#plot ?? {};
    const index = cursor?.idx;
    // After a drag its span is opened.
    if (index !== undefined && index !== null && select.width === 0) {
      const { t, bucketMs } = this.#series;
      location.assign(
        `/dashboard/logs${filterQuery({ ...this.#filters, from: t[index], until: t[index] + bucketMs })}`,
      );
    }
  }

  /** Opens the requests of the span that was dragged over, in whole buckets. */
  #open(plot) {
    const { left, width } = plot.select;
    const { t, bucketMs } = this.#series;
    const first = plot.posToIdx(left);
    const last = plot.posToIdx(left + width);
    location.assign(
      `/dashboard/logs${filterQuery({ ...this.#filters, from: t[first], until: t[last] + bucketMs })}`,
    );
  }

  /** Legend text: the value under the pointer, or that of the whole range. */
  #valueAt(line, index) {
    const { values, own = values, whole } = this.#lines[line];
    const isWhole = index === null || index === undefined;
    const value = isWhole ? whole(this.#totals) : own(this.#series)[index];
    return value === null || value === undefined ? NONE : this.#options.format(value);
  }
}

function linesOf({ lines }, series) {
  return typeof lines === 'function' ? lines(series) : lines;
}

/** Space between the strokes over the last bucket, which is not over yet, in pixels of the screen. */
const HATCH = 5;

/** Strikes the bar of the last bucket through, so that its low figures do not look like a fall. @param {() => number} bucketMs */
function hatchLast(bucketMs) {
  const ground = colour('--panel');
  return (plot) => {
    const { ctx, bbox, data } = plot;
    const last = data[0].at(-1);
    const left = plot.valToPos(last - bucketMs() / 2, 'x', true);
    const right = plot.valToPos(last + bucketMs() / 2, 'x', true);
    const step = HATCH * devicePixelRatio;
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, bbox.top, right - left, bbox.height);
    ctx.clip();
    ctx.beginPath();
    for (let y = bbox.top; y < bbox.top + bbox.height + (right - left); y += step) {
      ctx.moveTo(left, y);
      ctx.lineTo(right, y - (right - left));
    }
    ctx.strokeStyle = ground;
    ctx.lineWidth = step / 2.5;
    ctx.stroke();
    ctx.restore();
  };
}

/** Most points drawn: more would hide the line, but without them a value between two gaps would be invisible. */
const MAX_POINTS = 40;

function areFew(plot, line) {
  return plot.data[line].filter((value) => value !== null).length <= MAX_POINTS;
}

/** 24-hour axis labels in every locale: operators compare them with log files. */
const TIMES = [
  [86_400_000, '{MMM} {DD}', null, null, null, null, null, null, 1],
  [3_600_000, '{HH}:{mm}', '\n{MMM} {DD}', null, '\n{MMM} {DD}', null, null, null, 1],
  [60_000, '{HH}:{mm}', '\n{MMM} {DD}', null, '\n{MMM} {DD}', null, null, null, 1],
  [1000, '{HH}:{mm}:{ss}', '\n{MMM} {DD}', null, '\n{MMM} {DD}', null, null, null, 1],
];

/** Lines are told apart by nothing but their colours, also where the system has its own. */
function lineColour(line) {
  return colour(line.colour, 'chart-line');
}

/** Size of the page's text, which the browser may be set to, of the usual one. */
function textScale() {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) / TEXT_PX;
}

/** Resolves a custom property in the present theme: a canvas does not support `light-dark()`. */
function colour(property, className) {
  const probe = h('span', { hidden: true, class: className });
  probe.style.color = `var(${property})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
