import { describe, expect, it } from '@jest/globals';
import { type RequestLogEntry } from '../../src/logs/records/request-log-entry.js';
import { ChildGateway, type ChildRig, SOURCES, useChildRig } from '../support/gateway/child-gateway.js';
import { internalError } from '../support/gateway/error-texts.js';
import { ms, readStream, report } from '../support/gateway/fault-rig.js';
import { readBody } from '../support/gateway/read-body.js';
import { type StubPlan } from '../support/upstream/openai-stub.js';
import { chunk } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { processPace } from '../support/watch/machine-pace.js';

const STREAMS = 200;
/** Streams at the second signal. */
const HASTY_STREAMS = 20;
/** Time for running answers, multiplied by the machine's pace: the short ones must end within it. */
const DRAIN_MS = 4000;
const SHUTDOWN = internalError('the gateway is restarting. Please retry.');

/**
 * Has a process be told to end once it heeds that.
 * @param time the first is its beginning, the second the middle of its start
 */
const tellEarly = (time: 1 | 2): string => `let heeded = 0;
process.on('newListener', (name) => {
  if (name === 'SIGHUP' && ++heeded === ${time}) {
    setImmediate(() => process.kill(process.pid, 'SIGTERM'));
  }
});`;

/** Speaks until the client leaves, or until the test lets it finish if the prompt says `short`. */
function speaks(finish: Promise<void>): StubPlan {
  return async (reply) => {
    let isOver = false;
    if (reply.request.body.messages?.at(-1)?.content === 'short') {
      void finish.then(() => (isOver = true));
    }
    while (!isOver && !reply.isClientGone) {
      await reply.event(chunk({ content: 'x' }));
      await reply.wait(200);
    }
    if (isOver) {
      await reply.event(chunk({}, 'stop'));
      await reply.event('[DONE]');
      reply.end();
    }
  };
}

describe('F26: a gateway that is told to end', () => {
  let rig: ChildRig;
  let child: ChildGateway;
  let drainMs: number;
  const finish = Promise.withResolvers<void>();

  const start = async (settings: Record<string, string> = {}): Promise<ChildGateway> =>
    (child = await rig.start({
      UPSTREAM_API_KEYS: 'k1,k2,k3,k4',
      POOL_MAX_SESSIONS: String(STREAMS),
      DEFAULT_MAX_TOKENS: '10000',
      DRAIN_MS: String(drainMs),
      ...settings,
    }));

  useChildRig(async (made) => {
    rig = made;
    drainMs = Math.round(DRAIN_MS * (await processPace.factor()));
    rig.stub.answerWith(speaks(finish.promise));
    await start();
  });

  const ask = (content: string): Promise<Response> =>
    fetch(`${child.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'svc-max', messages: [{ role: 'user', content }] }),
    });

  /** Requests in the log by outcome, as the next process finds them. */
  async function outcomes(): Promise<Record<string, number>> {
    await start();
    const response = await fetch(new URL('/log/json?kind=request&limit=500', child.baseUrl));
    const { entries } = (await response.json()) as { entries: RequestLogEntry[] };
    const groups = Object.entries(Object.groupBy(entries, ({ outcome }) => outcome));
    return Object.fromEntries(groups.map(([outcome, { length }]) => [outcome, length]));
  }

  it('takes nothing new, finishes what can be finished, and tells the rest', async () => {
    const asked = Array.from({ length: STREAMS }, (_, index) => ask(index % 2 ? 'short' : 'endless'));
    const responses = await Promise.all(asked);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const bodies = responses.map(readBody);
    const log = await fetch(new URL('/log/stream', child.baseUrl));

    const toldAt = performance.now();
    child.signal('SIGTERM');
    await log.text();
    const logEndedMs = performance.now() - toldAt;
    // What comes before the listener closes is answered.
    const live = new URL('/health/live', child.baseUrl);
    await eventually(PATIENCE_MS, () => expect(fetch(live).then(readBody)).rejects.toThrow());
    finish.resolve();
    const ends = (await Promise.all(bodies)).map(({ text }) => readStream(text));
    expect(await child.ended).toEqual([0, null]);
    const endedMs = performance.now() - toldAt;

    ends.forEach(({ text, isDone, error, finish: reason }, index) => {
      expect(text).toMatch(/^x+$/);
      const whole = { isDone: true, error: undefined, reason: 'stop' };
      const cut = { isDone: false, error: SHUTDOWN, reason: undefined };
      expect({ isDone, error, reason }).toEqual(index % 2 ? whole : cut);
    });
    await processPace.expectWithin(logEndedMs, drainMs / 2);
    await processPace.expectWithin(endedMs - drainMs, 2000);
    expect(await outcomes()).toEqual({ ok: STREAMS / 2, shutdown: STREAMS / 2 });
    report('F26', `log readers left after ${ms(logEndedMs)}`, `ended after ${ms(endedMs)}`);
  });

  it('is not ready and serves on for a while, so that a balancer notices', async () => {
    await child.kill();
    await start({ SHUTDOWN_DELAY_MS: '3600000' });
    child.signal('SIGTERM');
    await eventually(PATIENCE_MS, async () => {
      const ready = await fetch(new URL('/health/ready', child.baseUrl));
      expect([ready.status, await ready.json()]).toEqual([503, { status: 'shutting_down' }]);
    });
    finish.resolve();
    const { status, body } = await ask('short');
    const { isDone } = readStream(await new Response(body).text());
    expect([status, isDone]).toEqual([200, true]);
    child.signal('SIGTERM');
    expect(await child.ended).toEqual([1, null]);
    expect(await outcomes()).toEqual({ ok: 1 });
  });

  it('ends at once when it is told again', async () => {
    const responses = await Promise.all(Array.from({ length: HASTY_STREAMS }, () => ask('endless')));
    const bodies = responses.map(readBody);
    const log = await fetch(new URL('/log/stream', child.baseUrl));
    child.signal('SIGTERM');
    // The first signal was heard.
    await log.text();
    const toldAt = performance.now();
    child.signal('SIGTERM');
    const ends = (await Promise.all(bodies)).map(({ text }) => readStream(text));
    expect(await child.ended).toEqual([1, null]);
    await processPace.expectWithin(performance.now() - toldAt, drainMs / 2);
    expect(ends.map(({ isDone, error }) => ({ isDone, error }))).toEqual(
      ends.map(() => ({ isDone: false, error: SHUTDOWN })),
    );
    expect(await outcomes()).toEqual({ shutdown: HASTY_STREAMS });
  });

  it.each([
    ['at once, if it is told to as it begins to start', 1, /^The gateway did not start \(0 \): $/],
    [
      'in good order, without having listened, if it is told to during its start',
      2,
      /^The gateway did not start \(0 \)(?!.*listening).*"event":"stopped"/s,
    ],
  ] as const)('ends %s', async (_how, time, end) => {
    await child.kill();
    const early = ['--import', `data:text/javascript,${encodeURIComponent(tellEarly(time))}`, ...SOURCES];
    const starting = ChildGateway.start({ DATA_DIR: rig.folder, LOG_LEVEL: 'info' }, undefined, early);
    await expect(starting).rejects.toThrow(end);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'ends in good order at %s, and says so',
    async (signal) => {
      await child.kill();
      await start({ LOG_LEVEL: 'info' });
      let shown = '';
      child.output?.on('data', (text: string) => (shown += text));
      child.signal(signal);
      expect(await child.ended).toEqual([0, null]);
      // What was written just before the end may be read after it.
      await eventually(PATIENCE_MS, () => {
        const lines = shown.split('\n').filter((line) => line.includes('"event":"stop'));
        expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
          expect.objectContaining({ event: 'stopping', signal }),
          expect.objectContaining({ event: 'stopped' }),
        ]);
      });
    },
  );
});
