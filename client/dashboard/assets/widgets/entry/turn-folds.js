import { plural } from '../../data/format.js';
import { countFailed, groupTurns } from '../../data/turns.js';
import { fill, h } from '../kit/dom.js';

/** Folds the earlier turns of each conversation in a list of entries below the newest one. */
export class TurnFolds {
  /** Conversations that are folded out. */
  #open = new Set();
  #groups = [];
  #rows;
  #onFolded;

  /**
   * @param {HTMLElement} rows the list, whose items begin with an element of class `entry`
   * @param {(shown: number, folded: number) => void} onFolded called with the number of entries in sight and out of it
   */
  constructor(rows, onFolded) {
    this.#rows = rows;
    this.#onFolded = onFolded;
  }

  /** The entries in the order in which they are to stand. @param {boolean} isGrouped whether turns belong together */
  arrange(entries, isGrouped) {
    this.#groups = isGrouped ? groupTurns(entries) : entries.map((entry) => [entry]);
    return this.#groups.flat();
  }

  /** Folds the items of the entries that were arranged. */
  apply() {
    const items = new Map(
      [...this.#rows.children].map((item) => [item.firstElementChild.dataset.entry, item]),
    );
    let folded = 0;
    for (const [newest, ...earlier] of this.#groups) {
      const others = earlier.map(({ id }) => items.get(id));
      // What is being read is not folded away.
      const isOpen =
        this.#open.has(newest.conversation) || others.some((item) => item.querySelector('.entry[open]'));
      others.forEach((item) => {
        item.hidden = !isOpen;
        item.className = 'earlier';
        item.querySelector('.turns')?.remove();
      });
      folded += isOpen ? 0 : others.length;
      this.#setButton(items.get(newest.id), earlier, isOpen);
    }
    this.#onFolded(items.size - folded, folded);
  }

  #setButton(item, earlier, isOpen) {
    item.hidden = false;
    item.className = '';
    const old = item.querySelector(':scope > .turns');
    if (earlier.length === 0) {
      old?.remove();
      return;
    }
    const button = old ?? item.appendChild(h('button', { type: 'button', class: 'turns' }));
    button.setAttribute('aria-expanded', String(isOpen));
    const failed = countFailed(earlier);
    fill(button, [
      plural(earlier.length, 'earlier turn'),
      failed > 0 && [', ', h('span', { class: 'cause' }, `${failed} failed`)],
    ]);
    button.onclick = () => this.#toggle(earlier[0].conversation, isOpen);
  }

  #toggle(conversation, wasOpen) {
    if (wasOpen) {
      this.#open.delete(conversation);
    } else {
      this.#open.add(conversation);
    }
    this.apply();
  }
}
