import { getJson } from '../../data/api.js';
import { filterQuery } from '../../data/filters.js';
import { count } from '../../data/format.js';
import { live } from '../../data/live/live.js';
import { h } from '../kit/dom.js';
import { outcomeBadge } from '../kit/labels.js';
import { redraw } from '../kit/redraw.js';
import { released } from '../kit/released.js';
import { requestLink } from '../kit/request-link.js';
import { timeAgo } from '../kit/ticker.js';

/** Earlier turns that are named in an entry, and later ones: the next, which may be another try of the same. */
const EARLIER = 8;
const LATER = 3;
/** The log begins with the newest, so the next ones are found only if no more than these are later. */
const LOOKED_THROUGH = 100;

/** The place of a request in its conversation: the turns around it, and the way to all of them. */
export class OtherTurns {
  element = h('section', { class: 'other-turns', hidden: true });
  #shown;

  /** Loads the turns around it, and again when there is more of a later one. */
  show(entry) {
    const { id, conversation } = entry;
    if (conversation === undefined || this.#shown === id) {
      return;
    }
    this.#shown = id;
    this.#fill(entry, [], []);
    void this.#load(entry);
    this.#follow(entry);
  }

  /** Until the request is folded. */
  #follow(entry) {
    const isLater = ({ conversation, startedAt }) =>
      conversation === entry.conversation && startedAt > entry.startedAt;
    const onRecords = ({ detail }) => {
      if (!this.element.isConnected) {
        live.removeEventListener('records', onRecords);
      } else if (detail.some(isLater)) {
        void this.#load(entry);
      }
    };
    live.addEventListener('records', onRecords);
  }

  async #load(entry) {
    const { id, conversation, startedAt, turn } = entry;
    const read = (span) => getJson(`/log/json${filterQuery({ conversation, content: 0, ...span })}`);
    try {
      const [before, since] = await Promise.all([
        turn > 1 ? read({ until: startedAt, limit: EARLIER }) : { entries: [] },
        read({ from: startedAt, limit: LOOKED_THROUGH }),
      ]);
      await released();
      const later = since.next === null ? since.entries.filter((other) => other.id !== id) : [];
      this.#fill(
        entry,
        later.slice(-LATER),
        before.entries.filter((other) => other.turn <= turn),
      );
    } catch {
      // The link to all turns is there, and says what is wrong.
    }
  }

  /** A first turn may be the only one. */
  #fill(entry, later, earlier) {
    const { conversation, turn } = entry;
    this.element.hidden = turn === 1 && later.length === 0;
    redraw(this.element, [
      h('h3', null, `Turn ${count(turn)} of this conversation`),
      h(
        'ul',
        { class: 'lines' },
        later.map(otherTurn),
        later.length > 0 && turnLine(entry, h('span', null, `turn ${count(turn)}, this one`)),
        earlier.map(otherTurn),
      ),
      requestLink({ conversation }, 'Show all turns'),
    ]);
  }
}

function otherTurn(entry) {
  return turnLine(entry, requestLink({ id: entry.id }, `turn ${count(entry.turn)}`));
}

function turnLine({ outcome, excerpt, startedAt }, name) {
  return h(
    'li',
    null,
    outcomeBadge(outcome),
    name,
    h('span', { class: 'said' }, excerpt),
    h('span', { class: 'quiet' }, timeAgo(startedAt)),
  );
}
