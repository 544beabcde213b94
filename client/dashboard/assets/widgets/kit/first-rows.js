import { count } from '../../data/format.js';
import { h } from './dom.js';

/** Rows of a long table that are shown at first. */
const FIRST = 30;

/** The beginning of a table that may be long, whatever its rows are now, and a button for all of it. */
export class FirstRows {
  #isWhole = false;
  #redraw;

  /** @param {() => void} redraw called once all rows are wanted */
  constructor(redraw) {
    this.#redraw = redraw;
  }

  /** @template T @param {readonly T[]} rows @returns {readonly T[]} those to show */
  of(rows) {
    return this.#isWhole ? rows : rows.slice(0, FIRST);
  }

  /** @param {readonly unknown[]} rows @returns {HTMLElement | false} what stands below the table */
  rest(rows) {
    return this.of(rows).length < rows.length && h('div', { class: 'more' }, this.#button(rows.length));
  }

  #button(total) {
    const onclick = () => {
      this.#isWhole = true;
      this.#redraw();
    };
    return h('button', { type: 'button', 'data-action': 'all', onclick }, `Show all ${count(total)}`);
  }
}
