import { getJson } from '../../data/api.js';
import { filterQuery } from '../../data/filters.js';
import { count } from '../../data/format.js';
import { fill, h } from '../kit/dom.js';
import { outcomeBadge } from '../kit/labels.js';
import { timeAgo } from '../kit/ticker.js';

/** Earlier turns that are named in an entry. */
const SHOWN = 8;

/** The place of a request in its conversation: the turns before it, and the way to all of them. */
export class OtherTurns {
  element = h('section', { class: 'other-turns', hidden: true });
  #shown;

  /** Loads the earlier turns once; they do not change. */
  show(entry) {
    const { id, conversation, turn } = entry;
    if (conversation === undefined || this.#shown === id) {
      return;
    }
    this.#shown = id;
    this.element.hidden = false;
    this.#fill(entry, []);
    if (turn > 1) {
      void this.#load(entry);
    }
  }

  async #load(entry) {
    const { conversation, startedAt: until, turn } = entry;
    const query = filterQuery({ conversation, until, content: 0, limit: SHOWN });
    try {
      const { entries } = await getJson(`/log/json${query}`);
      this.#fill(
        entry,
        entries.filter((other) => other.turn <= turn),
      );
    } catch {
      // The link to all turns is there, and says what is wrong.
    }
  }

  #fill({ conversation, turn }, earlier) {
    const all = `/dashboard/logs${filterQuery({ conversation })}`;
    fill(
      this.element,
      h('h3', null, `Turn ${count(turn)} of this conversation`),
      h(
        'ul',
        { class: 'lines' },
        earlier.map((other) =>
          h(
            'li',
            null,
            outcomeBadge(other.outcome),
            h('a', { href: `/dashboard/logs${filterQuery({ id: other.id })}` }, `turn ${count(other.turn)}`),
            h('span', { class: 'said' }, other.excerpt),
            h('span', { class: 'quiet' }, timeAgo(other.startedAt)),
          ),
        ),
      ),
      h('a', { href: all }, 'Show all turns'),
    );
  }
}
