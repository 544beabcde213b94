import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

/** Where the feed of the present test listens: those of earlier ones must hear nothing more. */
let events;
const live = {
  follow: () => undefined,
  addEventListener: (...listener) => events.addEventListener(...listener),
};
const connection = { isDown: false };
const getJson = jest.fn();
jest.unstable_mockModule('../../assets/data/api.js', () => ({ getJson }));
jest.unstable_mockModule('../../assets/data/live/live.js', () => ({ live }));
jest.unstable_mockModule('../../assets/data/connection.js', () => ({ connection }));
const { RecordFeed } = await import('../../assets/data/feed/record-feed.js');

const PAGE = 50;

/** The log: requests by their times, newest first. */
let log;
let feed;
let isHolding;

const record = (startedAt) => ({
  id: `r${startedAt}`,
  kind: 'request',
  startedAt,
  outcome: 'ok',
  model: 'm',
  totalMs: 1,
});

/** Answers like the gateway. */
async function pageOf(path) {
  const query = new URL(path, 'http://x').searchParams;
  const before = Number(query.get('before') ?? query.get('until') ?? Infinity);
  const found = log.filter(({ startedAt }) => startedAt < before && startedAt >= Number(query.get('from')));
  const entries = found.slice(0, PAGE);
  const rest = found.length - entries.length;
  return { entries, next: rest > 0 ? String(entries.at(-1).startedAt) : null };
}

function happen(...times) {
  for (const time of times) {
    log.unshift(record(time));
    events.dispatchEvent(new CustomEvent('records', { detail: [record(time)] }));
  }
}

const times = (from, count) => Array.from({ length: count }, (_, at) => from + at);

beforeEach(async () => {
  // Refreshes that wait for more records do not come.
  jest.useFakeTimers({ doNotFake: ['queueMicrotask'] });
  globalThis.document = { hidden: false };
  events = new EventTarget();
  connection.isDown = false;
  log = times(1, 200).map(record).reverse();
  isHolding = false;
  getJson.mockReset().mockImplementation(pageOf);
  feed = new RecordFeed({ kind: 'request', onChange: () => undefined, isHolding: () => isHolding });
  feed.start({});
  await feed.refresh();
});

afterEach(() => {
  jest.useRealTimers();
  delete globalThis.document;
});

const oldest = () => feed.records.at(-1).startedAt;

describe('RecordFeed', () => {
  it('goes on behind its oldest record, however many came live since', async () => {
    expect([feed.records.length, oldest()]).toEqual([50, 151]);
    happen(...times(1000, 300));
    await feed.refresh();
    await feed.older();
    expect([feed.records.length, oldest()]).toEqual([400, 101]);
  });

  it('knows the end of the log, also when more came live than a page has', async () => {
    log = [record(1)];
    await feed.filter({});
    happen(...times(1000, 60));
    await feed.refresh();
    expect([feed.records.length, feed.hasMore]).toEqual([61, false]);
  });

  it('cuts a list with older pages back, too, once it is very long', async () => {
    await feed.older();
    happen(...times(1000, 1900));
    await feed.refresh();
    expect(feed.records).toHaveLength(2000);
    happen(...times(5000, 1));
    await feed.refresh();
    expect([feed.records.length, feed.hasMore]).toEqual([50, true]);
  });

  it('never shows more than its bound, however many come before it is read again', async () => {
    happen(...times(1000, 1600));
    await jest.advanceTimersByTimeAsync(250);
    expect(feed.records.length).toBeLessThanOrEqual(500);
    await jest.advanceTimersByTimeAsync(1000);
    await feed.older();
    const shown = feed.records.map(({ startedAt }) => startedAt);
    expect(shown).toEqual(times(2600 - shown.length, shown.length).reverse());
  });

  it('is drawn at once for one record, and four times a second for many', async () => {
    const drawn = jest.fn();
    feed = new RecordFeed({ kind: 'request', onChange: drawn, isHolding: () => false });
    feed.start({});
    await feed.refresh();
    await jest.advanceTimersByTimeAsync(1000);
    drawn.mockClear();
    for (const at of times(1000, 90)) {
      happen(at);
      await jest.advanceTimersByTimeAsync(10);
      if (at === 1000) {
        expect(drawn).toHaveBeenCalledTimes(1);
      }
    }
    expect(drawn).toHaveBeenCalledTimes(4);
    expect(feed.records[0].startedAt).toBe(1074);
    await jest.advanceTimersByTimeAsync(250);
    expect(feed.records[0].startedAt).toBe(1089);
  });

  it('is read to its end over a slow connection, although more records come all the time', async () => {
    getJson.mockImplementation(async (path, { signal }) => {
      await new Promise((resolve) => setTimeout(resolve, 2500));
      signal.throwIfAborted();
      return pageOf(path);
    });
    const loaded = feed.filter({ q: 'x' });
    await jest.advanceTimersByTimeAsync(2500);
    await loaded;
    for (const at of times(1000, 20)) {
      happen(at);
      await jest.advanceTimersByTimeAsync(500);
    }
    expect(feed.records[0].startedAt).toBeGreaterThan(1000);
  });

  it('drops what has left the span of time that it is filtered to, unless it must not move', async () => {
    const began = Date.now();
    log = [record(began)];
    await feed.filter({ time: '15min' });
    jest.advanceTimersByTime(900_000);
    happen(began + 900_000);
    await feed.refresh();
    expect(feed.records.map(({ startedAt }) => startedAt)).toEqual([began + 900_000, began]);
    log.pop();
    isHolding = true;
    jest.advanceTimersByTime(1);
    await feed.refresh();
    expect(feed.records.map(({ startedAt }) => startedAt)).toEqual([began + 900_000, began]);
    isHolding = false;
    await feed.refresh();
    expect(feed.records.map(({ startedAt }) => startedAt)).toEqual([began + 900_000]);
  });

  it('shows the end of a record below its first page that it has not been told', async () => {
    const [running, ended] = ['pending', 'ok'].map((outcome) => ({ ...record(120), outcome }));
    const at = log.findIndex(({ id }) => id === ended.id);
    log[at] = running;
    await feed.older();
    log[at] = ended;
    const state = () => feed.records.find(({ id }) => id === ended.id).outcome;
    expect(state()).toBe('pending');
    events.dispatchEvent(new CustomEvent('state', { detail: 'live' }));
    await jest.advanceTimersByTimeAsync(0);
    expect(state()).toBe('ok');
    expect(getJson).toHaveBeenLastCalledWith('/log/json?kind=request&from=120&until=121&limit=500&content=0');
  });

  it('hands on the same objects for what has not changed', async () => {
    const before = feed.records;
    await feed.refresh();
    happen(1000);
    await feed.refresh();
    expect(feed.records.slice(1).every((one, at) => one === before[at])).toBe(true);
  });

  describe('with a running request', () => {
    const [begun, asked] = [{}, { attempts: [{ outcome: 'running' }] }].map((more) => ({
      ...record(1000),
      outcome: 'pending',
      ...more,
    }));
    const shown = () => feed.records.find(({ id }) => id === begun.id);
    const tell = (one) => events.dispatchEvent(new CustomEvent('records', { detail: [one] }));

    beforeEach(async () => {
      log.unshift(asked);
      tell(begun);
      await jest.advanceTimersByTimeAsync(0);
      getJson.mockClear();
    });

    it('fetches it again and again until it has ended', async () => {
      expect(shown()).toEqual(begun);
      await jest.advanceTimersByTimeAsync(1500);
      expect(shown()).toEqual(asked);
      const before = shown();
      await jest.advanceTimersByTimeAsync(3000);
      expect(shown()).toBe(before);
      expect(getJson).toHaveBeenCalledTimes(3);
      const span = 'from=1000&until=1001';
      const path = `/log/json?kind=request&status=pending&${span}&limit=50&content=0`;
      expect(getJson).toHaveBeenLastCalledWith(path);
      tell({ ...asked, outcome: 'ok' });
      await jest.advanceTimersByTimeAsync(6000);
      expect(getJson).toHaveBeenCalledTimes(3);
    });

    it.each([
      ['the tab is hidden', () => (globalThis.document.hidden = true)],
      ['the gateway does not answer', () => (connection.isDown = true)],
    ])('fetches nothing while %s', async (_case, change) => {
      change();
      await jest.advanceTimersByTimeAsync(6000);
      expect(getJson).not.toHaveBeenCalled();
    });
  });

  it('finishes older pages that are under way before it refreshes', async () => {
    const { promise, resolve } = Promise.withResolvers();
    getJson.mockImplementationOnce(async (path) => {
      await promise;
      return pageOf(path);
    });
    const older = feed.older();
    await feed.refresh();
    resolve();
    await older;
    expect([feed.records.length, oldest()]).toEqual([100, 101]);
  });
});
