import { h } from '../kit/dom.js';

/**
 * A line of a list of the class `trace`, with its bar on the scale of all lines.
 *
 * @param {{ name: string, detail: string, at: string, took: string, tone: import('../../data/tones.js').Tone,
 *   start: number, share: number }} line `start`, `share`: beginning and length of the bar, of 1
 */
export function barLine({ name, detail, at, took, tone, start, share }) {
  const bar = h('i', { class: `tone-${tone}` });
  bar.style.left = `${start * 100}%`;
  bar.style.width = `${share * 100}%`;
  return h(
    'li',
    { class: share === 0 ? 'moment' : '' },
    h('span', { class: 'trace-name' }, name),
    h('span', { class: 'trace-detail' }, detail),
    h('span', { class: 'bar', 'aria-hidden': 'true' }, bar),
    h('span', { class: 'trace-at' }, at),
    h('span', { class: 'trace-took' }, took),
  );
}
