import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Settings } from '../../src/common/config/settings.js';
import { SystemClock } from '../../src/common/time/clock.js';
import { type RequestLogEntry } from '../../src/logs/records/request-log-entry.js';
import { LogStore } from '../../src/logs/store/log-store.js';
import { type ChildGateway, type ChildRig, useChildRig } from '../support/gateway/child-gateway.js';
import { report } from '../support/gateway/fault-rig.js';
import { answer, hangs } from '../support/upstream/openai-stub-plans.js';
import { processPace } from '../support/watch/machine-pace.js';

interface Ended {
  /** Of `performance.now()`. */
  readonly at: number;
  readonly status: number;
}

/** An answer that ended, or had begun, before a kill. */
interface Noted {
  /** Milliseconds from then to the kill. */
  readonly ageMs: number;
  readonly isStored: (entry: RequestLogEntry | undefined) => boolean;
}

const ROUNDS = 5;
const CALLERS = 8;
/** Age at which an entry must be stored. */
const SAFE_MS = 250;

describe('a gateway that is killed while it logs', () => {
  let rig: ChildRig;
  let child: ChildGateway;

  useChildRig((made) => {
    rig = made;
    rig.stub.answerWith(answer({ pieces: 3, intervalMs: 5 }));
  });

  const post = (): Promise<Response> =>
    fetch(`${child.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'svc-max', messages: [{ role: 'user', content: 'hi' }] }),
    });

  /** Asks until the gateway is gone, and notes the time and status of each answer by request id. */
  async function askOn(ended: Map<string, Ended>): Promise<void> {
    for (;;) {
      try {
        const response = await post();
        await response.text();
        const { headers, status } = response;
        ended.set(headers.get('x-request-id') ?? '', { at: performance.now(), status });
      } catch {
        return;
      }
    }
  }

  it('F25: loses nothing that ended a moment before, and leaves a file that can be read', async () => {
    const noted = new Map<string, Noted>();
    const pace = await processPace.factor();
    for (let round = 0; round < ROUNDS; round++) {
      child = await rig.start();
      const ended = new Map<string, Ended>();
      rig.stub.answerNextWith(hangs(1));
      const running = await post();
      const begunAt = performance.now();
      running.text().catch(() => undefined);
      const callers = Promise.all(Array.from({ length: CALLERS }, () => askOn(ended)));
      // Another moment of the log's batches each time.
      await pause((700 + 137 * round) * pace);
      const killedAt = performance.now();
      await child.kill();
      await callers;
      noted.set(running.headers.get('x-request-id') ?? '', {
        ageMs: killedAt - begunAt,
        isStored: (entry) => entry?.outcome === 'crashed',
      });
      ended.forEach(({ at, status }, id) =>
        noted.set(id, { ageMs: killedAt - at, isStored: (entry) => entry?.status === status }),
      );
    }
    const entries = new Map((await storedEntries()).map((entry) => [entry.id, entry]));
    const lost = [...noted].filter(([id, { isStored }]) => !isStored(entries.get(id)));
    const oldestMs = Math.max(0, ...lost.map(([, { ageMs }]) => ageMs));
    await processPace.expectWithin(oldestMs, SAFE_MS);
    expect([...entries.values()].filter(({ outcome }) => outcome === 'pending')).toEqual([]);
    report(
      'F25',
      `${ROUNDS} kills, ${lost.length} of ${noted.size} answers lost, at most ${Math.round(oldestMs)} ms before`,
    );
  });

  /** All entries, as the next process finds them. */
  async function storedEntries(): Promise<RequestLogEntry[]> {
    const settings = Object.assign(new Settings(), { DATA_DIR: rig.folder });
    const warnings: string[] = [];
    const store = new LogStore(settings, new SystemClock(), (_, message) => warnings.push(message));
    try {
      await store.open();
      const entries: RequestLogEntry[] = [];
      let before: string | undefined;
      do {
        const page = await store.page({ limit: 500, ...(before !== undefined && { before }) });
        entries.push(...page.texts.map((text) => JSON.parse(text) as RequestLogEntry));
        before = page.next ?? undefined;
      } while (before !== undefined);
      expect(warnings).toEqual([]);
      return entries;
    } finally {
      await store.close();
    }
  }
});
