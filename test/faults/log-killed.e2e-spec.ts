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

const ROUNDS = 5;
const CALLERS = 8;
/** Age at which an entry must be stored; multiplied by the machine's pace. */
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
    let answers = 0;
    const safe = new Map<string, number>();
    const pace = await processPace.factor();
    const safeMs = SAFE_MS * pace;
    const cut = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      child = await rig.start();
      const ended = new Map<string, Ended>();
      rig.stub.answerNextWith(hangs(1));
      const running = await post();
      running.text().catch(() => undefined);
      cut.add(running.headers.get('x-request-id') ?? '');
      const callers = Promise.all(Array.from({ length: CALLERS }, () => askOn(ended)));
      // Another moment of the log's batches each time.
      await pause((700 + 137 * round) * pace);
      const killedAt = performance.now();
      await child.kill();
      await callers;
      answers += ended.size;
      ended.forEach(({ at, status }, id) => at < killedAt - safeMs && safe.set(id, status));
    }
    const entries = new Map((await storedEntries()).map((entry) => [entry.id, entry]));
    expect([...safe].filter(([id, status]) => entries.get(id)?.status !== status)).toEqual([]);
    expect([...cut].map((id) => entries.get(id)?.outcome)).toEqual([...cut].map(() => 'crashed'));
    expect([...entries.values()].filter(({ outcome }) => outcome === 'pending')).toEqual([]);
    report(
      'F25',
      `${ROUNDS} kills, ${answers} answers, ${safe.size} of them ${Math.round(safeMs)} ms before, all stored`,
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
