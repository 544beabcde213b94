import { getJson } from '../api.js';
import { filterQuery, fits, toLogQuery } from '../filters.js';
import { live } from '../live/live.js';
import { serverNow } from '../server-clock.js';
import { DrawingPace } from './drawing-pace.js';
import { byNewest, isNewer, RANKINGS } from './record-order.js';
import { RefreshTimer } from './refresh-timer.js';
import { RunningWatch } from './running-watch.js';

const PAGE = 50;
/** Bound of a live list, which is then cut back to its first page, and of the records held back. */
const MAX_RECORDS = 500;
/** Likewise of one to which older pages were added. */
const MAX_EXTENDED_RECORDS = 2000;
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
  #soon = new RefreshTimer(
    () => void this.refresh(),
    () => this.isLoading,
  );
  #pace = new DrawingPace(() => this.#tell());

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
    live.addEventListener('records', ({ detail }) => this.#takeAll(detail));
    live.addEventListener('state', ({ detail: state }) => {
      onState?.(state);
      // Without a stream there is the page at least.
      if (state === 'live' || (this.isLoading && (state === 'waiting' || state === 'locked'))) {
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
      this.#soon.set();
    } else {
      await this.#load(() => this.#isHolding());
    }
  }

  get #query() {
    return toLogQuery(this.#filters, serverNow());
  }

  /** Whether only the gateway can tell the place of a new record. */
  get #isSearched() {
    return this.#filters.q !== undefined || this.#ranking !== undefined;
  }

  /** Order other than that of time. */
  get #ranking() {
    return RANKINGS[this.#filters.sort];
  }

  async #load(isHolding) {
    const page = await this.#fetch({});
    if (!page) {
      return;
    }
    if (this.#ranking) {
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
    this.#pace.soon();
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
      this.#pace.soon();
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
    this.#pace.soon();
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
        this.#pace.soon();
      }
      return undefined;
    }
  }

  /** Asks the page once for all: the answer costs a look at each row. */
  #takeAll(records) {
    const isHeld = this.#isHolding();
    records.forEach((record) => this.#take(record, isHeld));
  }

  #take(record, isHeld = this.#isHolding()) {
    const old = this.#known.get(record.id);
    if (this.#isSearched && !old) {
      this.#soon.set();
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
      if (this.#isTooLong) {
        this.#cutBack();
      } else if (this.hasGap) {
        this.#soon.set();
      }
    }
    this.#pace.live();
  }

  /** Keeps the first page alone. Where older records go on is known once it is read again. */
  #cutBack() {
    const older = [...this.#known.values()].sort(byNewest).slice(PAGE);
    older.forEach(({ id }) => this.#known.delete(id));
    this.#next = undefined;
    this.#isExtended = false;
    this.#soon.set();
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

  #tell() {
    const { from } = this.#query;
    if (from !== undefined && !this.#isHolding()) {
      this.#forget(({ startedAt }) => startedAt < Number(from));
    }
    this.records = [...this.#known.values()]
      .filter(({ id }) => !this.#waiting.has(id))
      .sort(this.#ranking ?? byNewest);
    this.held = this.#waiting.size;
    this.hasMore = this.#hasOlder;
    if (this.#kind === 'request') {
      this.#running.watch(this.records);
    }
    this.#onChange();
  }
}
