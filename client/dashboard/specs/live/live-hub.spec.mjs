import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { BEAT_MS, GONE_MS } from '../../assets/data/live/beat.js';

jest.unstable_mockModule('../../assets/data/api.js', () => ({ getJson: jest.fn(), OWN_KEY: '/own' }));
jest.unstable_mockModule('../../assets/data/connection.js', () => ({ connection: new EventTarget() }));
jest.unstable_mockModule('../../assets/data/key/key-store.js', () => ({
  keyChanges: new EventTarget(),
  storedKey: () => 'k',
}));
const { LiveHub } = await import('../../assets/data/live/live-hub.js');
const { live } = await import('../../assets/data/live/live.js');

/** A gateway that answers each request with what its key may see, and notes which streams are open. */
class Gateway {
  /** @type {{ key: string, path: string, after: string | undefined, send: (record: any, id: number) => void }[]} */
  streams = [];
  polls = 0;
  more = {};
  refused = new Set();
  callers = new Set();

  fetch = async (path, { headers, signal }) => {
    const key = headers.Authorization?.replace('Bearer ', '') ?? '';
    if (this.refused.has(key)) {
      return new Response('{}', { status: 401 });
    }
    if (!path.startsWith('/log/stream')) {
      this.polls++;
      if (this.callers.has(key)) {
        return new Response('{}', { status: 403 });
      }
      return Response.json({ of: key, ...this.more });
    }
    const body = new ReadableStream({
      start: (controller) => {
        const text = (record, id) => `id: ${id}\ndata: ${JSON.stringify(record)}\n\n`;
        const stream = {
          key,
          path,
          after: headers['Last-Event-ID'],
          send: (record, id) => controller.enqueue(new TextEncoder().encode(text(record, id))),
        };
        this.streams.push(stream);
        signal.addEventListener('abort', () => {
          this.streams.splice(this.streams.indexOf(stream), 1);
          controller.error(signal.reason);
        });
      },
    });
    return new Response(body);
  };
}

const { fetch } = globalThis;
let gateway;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick', 'setImmediate'] });
  gateway = new Gateway();
  globalThis.fetch = gateway.fetch;
});
afterEach(() => {
  jest.useRealTimers();
  globalThis.fetch = fetch;
});

/** Lets promises and streams go on, which no fake timer holds. */
async function settle() {
  for (let turn = 0; turn < 20; turn++) {
    await new Promise(setImmediate);
  }
}

describe('LiveHub', () => {
  let hub;

  beforeEach(() => {
    hub = new LiveHub();
  });

  /** A tab that has said hello. */
  function tab(key, wish) {
    const port = { heard: [], postMessage: (message) => port.heard.push(message) };
    hub.join(port);
    port.say = (message) => port.onmessage({ data: message });
    port.greet = (more) => port.say({ type: 'hello', key, wantsStatus: false, ...wish, ...more });
    port.records = () =>
      port.heard
        .filter(({ type }) => type === 'records')
        .flatMap(({ records }) => records.map(({ id }) => id));
    port.states = () => port.heard.filter(({ type }) => type === 'state').map(({ state }) => state);
    port.greet();
    return port;
  }

  it('opens one stream for all tabs of a key, and hands each the kind that it wants', async () => {
    const requests = tab('k', { kind: 'request' });
    const twin = tab('k', { kind: 'request' });
    await settle();
    expect(gateway.streams.map(({ path }) => path)).toEqual(['/log/stream?kind=request&content=0']);
    const exchanges = tab('k', { kind: 'network' });
    await settle();
    expect(gateway.streams.map(({ path }) => path)).toEqual(['/log/stream?kind=all&content=0']);
    // Never `off` between the two, since a page without a stream loads its list at once.
    expect(requests.states()).toEqual(['connecting', 'connecting', 'live', 'connecting', 'live']);
    gateway.streams[0].send({ kind: 'request', id: 'req' }, 7);
    gateway.streams[0].send({ kind: 'network', id: 'net' }, 8);
    await settle();
    expect([requests.records(), twin.records(), exchanges.records()]).toEqual([['req'], ['req'], ['net']]);
  });

  it('tells a tab nothing that was asked for with another key', async () => {
    const one = tab('one', { kind: 'request', wantsStatus: true });
    const two = tab('two', { kind: 'request', wantsStatus: true });
    await settle();
    gateway.streams.find(({ key }) => key === 'one').send({ kind: 'request', id: 'secret' }, 1);
    await settle();
    expect([one.records(), two.records()]).toEqual([['secret'], []]);
    const statuses = two.heard.filter(({ type }) => type === 'status').map(({ status }) => status.of);
    expect(new Set(statuses)).toEqual(new Set(['two']));
  });

  it('ends the stream with the last tab, also one that only fell silent', async () => {
    const [polite, crashed] = [tab('k', { kind: 'request' }), tab('k', { kind: 'request' })];
    await settle();
    for (let past = 0; past <= GONE_MS; past += BEAT_MS) {
      polite.greet();
      jest.advanceTimersByTime(BEAT_MS);
      await settle();
    }
    gateway.streams[0].send({ kind: 'request', id: 'late' }, 1);
    await settle();
    expect([polite.records(), crashed.records()]).toEqual([['late'], []]);
    polite.say({ type: 'bye' });
    await settle();
    expect(gateway.streams).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('goes on where the first tab was, and asks for the state once for all', async () => {
    tab('k', { kind: 'request', wantsStatus: true, after: '41' });
    tab('k', { kind: 'request', wantsStatus: true });
    await settle();
    expect(gateway.streams.map(({ after }) => after)).toEqual(['41']);
    const { polls } = gateway;
    jest.advanceTimersByTime(1000);
    await settle();
    expect(gateway.polls).toBe(polls + 1);
  });

  it('asks for the state more seldom while nothing happens', async () => {
    const port = tab('k', { kind: 'request', wantsStatus: true });
    const pollsIn = async (seconds) => {
      const before = gateway.polls;
      for (let second = 0; second < seconds; second++) {
        port.greet();
        jest.advanceTimersByTime(1000);
        await settle();
      }
      return gateway.polls - before;
    };
    await settle();
    await pollsIn(20);
    expect(await pollsIn(21)).toBe(7);
    gateway.streams[0].send({ kind: 'request', id: 'req' }, 1);
    await settle();
    expect(await pollsIn(2)).toBe(2);
    await pollsIn(20);
    port.say({ type: 'hurry' });
    expect(await pollsIn(2)).toBe(2);
    await pollsIn(20);
    gateway.more = { readiness: 'no_account' };
    await pollsIn(5);
    gateway.more = {};
    expect(await pollsIn(2)).toBe(2);
  });

  it('says that a key is refused, and does not try it again by itself', async () => {
    gateway.refused.add('old');
    const port = tab('old', { kind: 'request', wantsStatus: true });
    await settle();
    expect(port.heard).toContainEqual({ type: 'state', state: 'locked' });
    expect(port.heard).toContainEqual({ type: 'locked' });
    gateway.refused.clear();
    jest.advanceTimersByTime(GONE_MS / 2);
    port.greet();
    await settle();
    expect([gateway.streams, gateway.polls]).toEqual([[], 0]);
    port.greet({ key: 'new' });
    await settle();
    expect(gateway.streams.map(({ key }) => key)).toEqual(['new']);
  });

  it("says that a key is a caller's, and does not ask for the state with it again", async () => {
    gateway.callers.add('k');
    const port = tab('k', { wantsStatus: true });
    await settle();
    expect(port.heard).toContainEqual({ type: 'forbidden' });
    await jest.advanceTimersByTimeAsync(BEAT_MS);
    port.greet();
    await settle();
    expect(gateway.polls).toBe(1);
    port.say({ type: 'hurry' });
    await jest.advanceTimersByTimeAsync(BEAT_MS);
    expect(gateway.polls).toBe(1);
  });

  it('answers each hello, also of a tab that follows no records, so that it is not taken for dead', async () => {
    gateway.callers.add('k');
    const port = tab('k', { wantsStatus: true });
    await settle();
    const heard = port.heard.length;
    port.greet();
    expect(port.heard.length).toBeGreaterThan(heard);
  });
});

/** An end of a channel: what comes before anybody listens waits. A real one would hold the process. */
class Port {
  #waiting = [];
  #listener = (event) => this.#waiting.push(event);

  /** @type {Port} */
  other;

  set onmessage(listener) {
    this.#listener = listener;
    this.#waiting.splice(0).forEach(listener);
  }

  postMessage(data) {
    queueMicrotask(() => this.other.#listener({ data }));
  }
}

class Channel {
  port1 = new Port();
  port2 = Object.assign(new Port(), { other: this.port1 });

  constructor() {
    this.port1.other = this.port2;
  }
}

describe('live, in a browser without shared workers', () => {
  const { MessageChannel } = globalThis;

  beforeEach(() => {
    globalThis.MessageChannel = Channel;
    globalThis.window = new EventTarget();
    globalThis.document = Object.assign(new EventTarget(), { hidden: false });
  });
  afterEach(() => {
    globalThis.MessageChannel = MessageChannel;
    delete globalThis.window;
    delete globalThis.document;
  });

  it('begins anew after each long sleep of the machine', async () => {
    // A tab that heard something at 0 would be a hidden one.
    jest.advanceTimersByTime(1);
    live.follow('request');
    await settle();
    expect(gateway.streams).toHaveLength(1);
    const awake = performance.now.bind(performance);
    let sleptMs = 0;
    const now = jest.spyOn(performance, 'now').mockImplementation(() => awake() + sleptMs);
    for (let sleep = 1; sleep <= 2; sleep++) {
      sleptMs += 2 * GONE_MS;
      jest.advanceTimersByTime(BEAT_MS);
      await settle();
      expect(gateway.streams).toHaveLength(1);
      gateway.streams[0].send({ kind: 'request', id: `after sleep ${sleep}` }, sleep);
      const heard = new Promise((resolve) => live.addEventListener('records', resolve, { once: true }));
      expect((await heard).detail).toEqual([{ kind: 'request', id: `after sleep ${sleep}` }]);
    }
    globalThis.window.dispatchEvent(new Event('pagehide'));
    await settle();
    expect(gateway.streams).toEqual([]);
    now.mockRestore();
  });
});
