import { connection } from '../../data/connection.js';
import { RecordFeed } from '../../data/feed/record-feed.js';
import { toLogQuery } from '../../data/filters.js';
import { serverNow } from '../../data/server-clock.js';
import { spanText } from '../../data/time-spans.js';
import { byId, fill, h } from '../kit/dom.js';
import {
  emptyState,
  errorState,
  loadingState,
  pauseButton,
  showLiveState,
  showStale,
} from '../shell/shell.js';
import { bindFilters } from './filter-form.js';

/** Scroll position below which new records are held back. */
const TOP_PX = 80;

/** Connects a `RecordFeed` with the filters, buttons and list of its page. */
export class FeedView {
  #list = byId('list');
  #options;
  #isPaused = false;
  #filters = {};
  /** Whether the person waits for a list that they have asked for. */
  #isAsked = true;
  /** What was last moved over the rows. After a touch, browsers take them for hovered although no pointer is there. */
  #pointerType = '';

  /**
   * @param {object} options
   * @param {'request' | 'network'} options.kind
   * @param {(records: object[]) => void} options.show draws the records; called with at least one
   * @param {() => void} [options.onEmpty] called when there is nothing to draw
   * @param {HTMLElement} options.rows of the records: while they are in use, new ones are held back
   * @param {(filters: Record<string, string>) => Record<string, string>} [options.toQuery] filters of the form as those of
   *   the log
   * @param {[string, string]} options.none title and text for an empty log
   * @param {[string, string]} options.noneFits title and text if no record meets the filters
   */
  constructor(options) {
    this.#options = options;
    this.feed = new RecordFeed({
      kind: options.kind,
      onChange: () => this.#update(),
      isHolding: () => this.#isHolding(),
    });
  }

  #isHolding() {
    return this.#isPaused || scrollY > TOP_PX || this.#isInUse();
  }

  /** Whether rows must not slide away from the pointer, the keyboard, a selection, or what is unfolded. */
  #isInUse() {
    const { rows } = this.#options;
    const { isCollapsed, anchorNode } = getSelection();
    return (
      rows.querySelector('details[open], .exchange[aria-expanded="true"], :focus-visible') !== null ||
      (this.#pointerType === 'mouse' && rows.matches(':hover')) ||
      (!isCollapsed && rows.contains(anchorNode))
    );
  }

  /** The filters at present. */
  get filters() {
    return this.#filters;
  }

  /** The span of time that the list is filtered to, in plain words: one such as "yesterday" depends on the zone. */
  get span() {
    const { from, until } = toLogQuery(this.#filters, serverNow());
    return spanText({ from: from && Number(from), until: until && Number(until) });
  }

  /** Starts the feed. Call after the selects of the filter form have their choices. */
  start() {
    const { feed } = this;
    const { rows, toQuery = (filters) => filters } = this.#options;
    this.#filters = bindFilters(byId('filters'), (changed) => {
      this.#filters = changed;
      this.#isAsked = true;
      fill(this.#list, loadingState());
      void feed.filter(toQuery(changed));
    });
    fill(this.#list, loadingState());
    byId('older').addEventListener('click', () => {
      this.#isAsked = true;
      void feed.older();
    });
    byId('show-new').addEventListener('click', () => {
      feed.showNew();
      scrollTo({ top: 0 });
    });
    pauseButton(byId('pause'), (paused) => {
      this.#isPaused = paused;
      if (!paused) {
        feed.showNew();
      }
    });
    connection.addEventListener('up', () => feed.error && void feed.refresh());
    rows.addEventListener('pointerenter', (event) => (this.#pointerType = event.pointerType));
    rows.addEventListener('pointerleave', () => this.letGo());
    // The focus may go on to another row.
    rows.addEventListener('focusout', () => setTimeout(() => this.letGo()));
    document.addEventListener('selectionchange', () => this.letGo());
    feed.start(toQuery(this.#filters), showLiveState);
  }

  /** Shows the records held back if nothing holds them any more. Call when the user may have stopped reading. */
  letGo() {
    if (this.feed.held > 0 && !this.#isHolding()) {
      this.feed.showNew();
    }
  }

  #update() {
    const { records, held, hasGap, hasMore, error, isLoading } = this.feed;
    byId('show-new').hidden = held === 0;
    byId('show-new').textContent = `${held}${hasGap ? '+' : ''} new`;
    byId('older').hidden = !hasMore;
    byId('older').disabled = isLoading;
    showStale(records.length > 0 ? error : undefined);
    // Under load, a number that is read out with each change would never end.
    byId('summary').setAttribute('aria-live', this.#isAsked ? 'polite' : 'off');
    this.#isAsked &&= isLoading;
    if (records.length > 0) {
      this.#options.show(records);
      return;
    }
    byId('summary').textContent = '';
    if (error) {
      fill(
        this.#list,
        errorState(error, () => void this.feed.refresh()),
      );
    } else {
      fill(this.#list, isLoading ? loadingState() : this.#nothing());
      this.#options.onEmpty?.();
    }
  }

  #nothing() {
    if (this.feed.hasMore) {
      return emptyState('Nothing found so far', 'Older entries have not been searched yet: load older ones.');
    }
    const { none, noneFits } = this.#options;
    return Object.keys(this.#filters).length > 0
      ? emptyState(...noneFits)
      : emptyState(...none, ' ', h('a', { href: '/dashboard/chat' }, 'Try it in the chat'));
  }
}
