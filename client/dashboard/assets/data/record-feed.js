import { getJson } from './api.js';
import { filterQuery, fits, toLogQuery } from './filters.js';
import { live } from './live/live.js';
import { byNewest, bySlowest, isNewer } from './record-order.js';
import { RunningWatch } from './running-watch.js';
import { serverNow } from './server-clock.js';

const PAGE = 50;
/** Bound of a live list, which is then cut back to its first page, and of the records held back. */
const MAX_RECORDS = 500;
/** Likewise of one to which older pages were added. */
const MAX_EXTENDED_RECORDS = 2000;
/** Debounce of a refresh. With a text filter every new record needs one: only the gateway can search texts. */
const REFRESH_DEBOUNCE_MS = 1000;
/** Steps of a search at once. The gateway answers each in a fraction of a second, whether it has found anything or not. */
const MAX_STEPS = 20;

/**
 * Records of the log that meet some filters, newest first: a first page, older pages on demand, and new records live. New
 * records may be held back, so that a list in use does not move.
 */
export class RecordFeed {
  /** @type {any[]} */
  records = [];
  /** Number of new records held back. */
  held = 0;
  /** Whether further new records were missed. */
  hasGap = false;
  /** Whether there are older pages. */
  hasMore = false;
  isLoading = true;
  /** @type {Error | undefined} */
  error;

  #kind;
  #onChange;
  #isHolding;
  #filters = {};
  #known = new Map();
  #waiting = new Set();
  /** @type {string | null | undefined} cursor behind the oldest record of the list; null at the end of the log */
  #next;
  #isExtended = false;
  #isGoingBack = false;
  #loading = new AbortController();
  #running;
  #isSoon = false;
  #isChanging = false;

  /**
   * @param {{ kind: 'request' | 'network', onChange: () => void, isHolding: () => boolean }} options `isHolding`: whether
   *   new records are held back now
   */
  constructor({ kind, onChange, isHolding }) {
    this.#kind = kind;
    this.#onChange = onChange;
    this.#isHolding = isHolding;
    // The list may have been replaced since a record was asked for.
    this.#running = new RunningWatch(kind, (record) => this.#known.has(record.id) && this.#take(record));
  }

  /** Follows the log until the page is left, and loads the first page once nothing can be missed behind it. */
  start(filters, onState) {
    this.#filters = filters;
    live.addEventListener('record', ({ detail }) => this.#take(detail));
    live.addEventListener('state', ({ detail: state }) => {
      onState?.(state);
      // Without a stream there is the page at least.
      if (state === 'live' || (this.isLoading && state !== 'connecting')) {
        // Below the page that is read again, ends may have been missed.
        void this.refresh().then(() => this.#running.catchUp(this.records.slice(PAGE)));
      }
    });
    live.follow(this.#kind);
  }

  /** Replaces the filters and reloads. */
  filter(filters) {
    this.#filters = filters;
    this.#clear();
    return this.#load(() => this.#isHolding());
  }

  /**
   * Reloads the first page, after older ones that are under way. Records already shown stay, unless a gap would be left
   * between them and the page.
   */
  async refresh() {
    if (this.#isGoingBack) {
      this.#refreshSoon();
    } else {
      await this.#load(() => this.#isHolding());
    }
  }

  get #query() {
    return toLogQuery(this.#filters, serverNow());
  }

  /** Whether only the gateway can tell the place of a new record. */
  get #isSearched() {
    return this.#filters.q !== undefined || this.#isBySpeed;
  }

  get #isBySpeed() {
    return this.#filters.sort === 'slowest';
  }

  async #load(isHolding) {
    const page = await this.#fetch({});
    if (!page) {
      return;
    }
    if (this.#isBySpeed) {
      this.#clear();
    }
    const [newest] = page.entries;
    const meets = page.entries.some(({ id }) => this.#known.has(id) && !this.#waiting.has(id));
    const isHeld = this.#known.size > this.#waiting.size && isHolding();
    if (isHeld) {
      this.hasGap ||= newest !== undefined && !meets;
    } else {
      this.#waiting.clear();
      if (newest && (this.hasGap || this.#isTooLong || !meets)) {
        this.#forgetBefore(newest);
      }
    }
    page.entries.forEach((record) => this.#put(record, isHeld));
    if (
      this.#next === undefined ||
      (!this.#isExtended && !isHeld && !this.#goesBeyond(page.entries.at(-1)))
    ) {
      this.#next = page.next;
    }
    this.#changed();
    if (page.entries.length === 0 && !this.#isExtended && !isHeld) {
      await this.older();
    }
  }

  /** Adds the next older page that has any records. */
  async older() {
    this.#isGoingBack = true;
    try {
      await this.#goBack();
    } finally {
      this.#isGoingBack = false;
    }
  }

  async #goBack() {
    for (let step = 0; step < MAX_STEPS && this.#hasOlder; step++) {
      const page = await this.#fetch({ before: this.#next });
      if (!page) {
        return;
      }
      this.#isExtended = true;
      page.entries.forEach((record) => this.#put(record, false));
      this.#next = page.next;
      this.#changed();
      if (page.entries.length > 0) {
        return;
      }
    }
  }

  /** Shows the records held back. */
  showNew() {
    this.#waiting.clear();
    if (this.hasGap || this.#isTooLong) {
      void this.#load(() => false);
    }
    this.#changed();
  }

  async #fetch(more) {
    this.#loading.abort();
    this.#loading = new AbortController();
    const { signal } = this.#loading;
    const filters = { kind: this.#kind, content: 0, limit: PAGE, ...this.#query, ...more };
    this.isLoading = true;
    try {
      const page = await getJson(`/log/json${filterQuery(filters)}`, { signal });
      this.error = undefined;
      this.isLoading = false;
      return signal.aborted ? undefined : page;
    } catch (error) {
      if (!signal.aborted) {
        this.error = error;
        this.isLoading = false;
        this.#changed();
      }
      return undefined;
    }
  }

  #take(record) {
    const old = this.#known.get(record.id);
    const isHeld = this.#isHolding();
    if (this.#isSearched && !old) {
      this.#refreshSoon();
    } else if (fits(record, this.#query)) {
      this.#put(record, isHeld);
    } else if (old && isNewer(record, old)) {
      this.#known.delete(record.id);
      this.#waiting.delete(record.id);
    } else {
      return;
    }
    if (!isHeld) {
      this.#waiting.clear();
      if (this.hasGap || this.#isTooLong) {
        this.#refreshSoon();
      }
    }
    this.#changed();
  }

  get #isTooLong() {
    return this.#known.size > (this.#isExtended ? MAX_EXTENDED_RECORDS : MAX_RECORDS);
  }

  get #hasOlder() {
    return typeof this.#next === 'string';
  }

  /** Whether the list has records before this one, all of them since: live ones were added to an earlier page. */
  #goesBeyond(record) {
    return (
      record !== undefined && [...this.#known.values()].some(({ startedAt }) => startedAt < record.startedAt)
    );
  }

  #put(record, isHeld) {
    const old = this.#known.get(record.id);
    if (!old && isHeld && this.#waiting.size >= MAX_RECORDS) {
      this.hasGap = true;
    } else if (!old) {
      this.#known.set(record.id, record);
      if (isHeld) {
        this.#waiting.add(record.id);
      }
    } else if (isNewer(record, old)) {
      this.#known.set(record.id, record);
    }
  }

  #forget(isOver) {
    for (const record of this.#known.values()) {
      if (isOver(record)) {
        this.#known.delete(record.id);
        this.#waiting.delete(record.id);
      }
    }
  }

  #forgetBefore(newest) {
    this.#forget(({ startedAt }) => startedAt < newest.startedAt);
    this.#isExtended = false;
    this.hasGap = false;
  }

  #clear() {
    this.#known.clear();
    this.#waiting.clear();
    this.#next = undefined;
    this.#isExtended = false;
    this.hasGap = false;
  }

  #refreshSoon() {
    if (!this.#isSoon) {
      this.#isSoon = true;
      setTimeout(() => {
        this.#isSoon = false;
        void this.refresh();
      }, REFRESH_DEBOUNCE_MS);
    }
  }

  /** Batches changes of one task: drawing costs much more than taking records in. */
  #changed() {
    if (!this.#isChanging) {
      this.#isChanging = true;
      queueMicrotask(() => this.#tell());
    }
  }

  #tell() {
    this.#isChanging = false;
    const { from } = this.#query;
    if (from !== undefined && !this.#isHolding()) {
      this.#forget(({ startedAt }) => startedAt < Number(from));
    }
    this.records = [...this.#known.values()]
      .filter(({ id }) => !this.#waiting.has(id))
      .sort(this.#isBySpeed ? bySlowest : byNewest);
    this.held = this.#waiting.size;
    this.hasMore = this.#hasOlder;
    if (this.#kind === 'request') {
      this.#running.watch(this.records);
    }
    this.#onChange();
  }
}
