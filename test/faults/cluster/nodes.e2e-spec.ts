import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ChildGateway } from '../../support/gateway/child-gateway.js';
import { ClusterRig, ENDLESS, shortLeaseMs, speaking } from '../../support/gateway/cluster-rig.js';
import { ms, report } from '../../support/gateway/fault-rig.js';
import { eventually, PATIENCE_MS } from '../../support/watch/eventually.js';
import { processPace } from '../../support/watch/machine-pace.js';

const CALLERS = 40;
const LEASE_MS = 4000;
/** A node that was frozen resets connections that were idle for longer than it keeps them. */
const notAnswered = (error: unknown): { readonly status: number; readonly text: string } => ({
  status: 0,
  text: String(error),
});
const CLOCK = join(import.meta.dirname, '..', '..', 'support', 'cluster', 'jumping-clock.mjs');

describe('nodes that fail under load', () => {
  let rig: ClusterRig;
  let nodeLeaseMs: number;
  let finish: PromiseWithResolvers<void>;
  let isOver: boolean;
  /** Of all prompts so far. */
  const terms = new Map<string, number>();
  /** Prompts under a lower term than one before. */
  const late: string[] = [];

  beforeEach(async () => {
    nodeLeaseMs = await shortLeaseMs(LEASE_MS);
    rig = await ClusterRig.start();
    finish = Promise.withResolvers<void>();
    rig.stub.answerWith(speaking(finish.promise));
    isOver = false;
    terms.clear();
    late.length = 0;
  });
  afterEach(async () => {
    isOver = true;
    finish.resolve();
    await rig.close();
  });

  async function start(settings: readonly Record<string, string>[]): Promise<ChildGateway[]> {
    const common = {
      NODE_LEASE_MS: String(nodeLeaseMs),
      UPSTREAM_API_KEYS: 'k1,k2,k3',
      POOL_MAX_SESSIONS: '64',
      POOL_MAX_SESSIONS_PER_ACCOUNT: '32',
    };
    const nodes = await Promise.all(settings.map((own) => rig.add({ ...common, ...own })));
    await Promise.all(nodes.map((node) => rig.ready(node)));
    await eventually(PATIENCE_MS, async () => expect(await rig.sharesByNode()).toEqual([12, 12]));
    return nodes;
  }

  /** Callers that ask a node without a pause until `isOver`. Resolves with the answers that were not 200. */
  async function load(node: ChildGateway, callers: number): Promise<string[]> {
    const failures: string[] = [];
    await Promise.all(
      Array.from({ length: callers }, async () => {
        while (!isOver) {
          const { status, text } = await rig.ask(node).catch(notAnswered);
          late.push(...rig.noteTerms(terms));
          if (status !== 200) {
            failures.push(text);
          }
        }
      }),
    );
    return failures;
  }

  /** Waits until so many more prompts were answered. */
  const served = (count: number): Promise<void> => {
    const from = rig.prompts;
    return eventually(PATIENCE_MS, () => expect(rig.prompts - from).toBeGreaterThan(count));
  };

  it('F34: one prompt at most comes under a lower term when one is frozen for two leases, and the other serves on', async () => {
    const [one, other] = await start([{}, {}]);
    const loads = [load(one!, CALLERS / 2), load(other!, CALLERS / 2)];
    await served(200);
    one!.signal('SIGSTOP');
    const stoppedAt = performance.now();
    await eventually(PATIENCE_MS, async () => expect(await rig.sharesByNode()).toEqual([24]));
    const takenMs = performance.now() - stoppedAt;
    await processPace.expectWithin(takenMs - nodeLeaseMs, 1000);
    await eventually(PATIENCE_MS, () =>
      expect(performance.now() - stoppedAt).toBeGreaterThan(2 * nodeLeaseMs),
    );
    one!.signal('SIGCONT');
    await eventually(PATIENCE_MS, async () => expect(await rig.sharesByNode()).toEqual([12, 12]));
    await served(200);
    isOver = true;
    const [, failures] = await Promise.all(loads);
    expect(failures).toEqual([]);
    // What was on its way to the socket at the instant of the freeze; only an upstream that knows terms can refuse it.
    expect(late.length).toBeLessThanOrEqual(1);
    report('F34', `${terms.size} shares, taken over after ${ms(takenMs)}, lease ${ms(nodeLeaseMs)}`);
  });

  it('a killed one: its accounts serve elsewhere within the lease and a second, its answers are closed once', async () => {
    const [one, other] = await start([{}, {}]);
    const cut = Array.from({ length: 20 }, () => rig.ask(one!, ENDLESS).catch(() => 'cut'));
    const loads = load(other!, CALLERS / 2);
    await served(100);
    await eventually(PATIENCE_MS, async () => {
      const sql = `SELECT FROM log_records WHERE outcome = 'pending' AND brief LIKE '%"${ENDLESS}"%'`;
      expect(await rig.query(sql)).toHaveLength(cut.length);
    });
    const killedAt = performance.now();
    await one!.kill();
    await eventually(PATIENCE_MS, async () => expect(await rig.sharesByNode()).toEqual([24]));
    const takenMs = performance.now() - killedAt;
    await processPace.expectWithin(takenMs - nodeLeaseMs, 1000);
    expect(await Promise.all(cut)).toEqual(cut.map(() => 'cut'));
    await served(100);
    isOver = true;
    expect([await loads, late]).toEqual([[], []]);
    const sql = `SELECT outcome FROM log_records WHERE outcome IN ('pending', 'crashed') AND is_completion = 1`;
    await eventually(PATIENCE_MS, async () => {
      expect(await rig.query(sql)).toEqual(cut.map(() => ({ outcome: 'crashed' })));
    });
    report(
      'kill -9',
      `taken over after ${ms(takenMs)}, lease ${ms(nodeLeaseMs)}; ${cut.length} answers closed`,
    );
  });

  it('clocks that are an hour apart, and one that jumps by a minute, are not felt', async () => {
    // Shorter than the jump. Nothing here waits for its end, so that it need not be as short as a busy machine can keep.
    nodeLeaseMs = 30_000;
    const shifted = { NODE_OPTIONS: `--import ${CLOCK}`, CLOCK_SHIFT_MS: '3600000', CLOCK_JUMP_MS: '60000' };
    const [one, other] = await start([shifted, {}]);
    const loads = [load(one!, 10), load(other!, 10)];
    await served(200);
    one!.signal('SIGUSR2');
    await served(200);
    isOver = true;
    expect([...(await Promise.all(loads)), late]).toEqual([[], [], []]);
  });
});
