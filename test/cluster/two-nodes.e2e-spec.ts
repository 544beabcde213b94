import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ChildGateway } from '../support/gateway/child-gateway.js';
import { ClusterRig, LEASE_MS } from '../support/gateway/cluster-rig.js';
import { eventually, PATIENCE_MS } from '../support/gateway/invariants.js';
import { jsonAnswer } from '../support/upstream/openai-stub-plans.js';

let rig: ClusterRig;

beforeEach(async () => {
  rig = await ClusterRig.start();
  rig.stub.answerWith(jsonAnswer({ role: 'assistant', content: 'hello' }));
});

afterEach(() => rig.close());

/** Starts two nodes, and waits until each has its half of the shares of both keys. */
async function twoNodes(): Promise<[ChildGateway, ChildGateway]> {
  const nodes = await Promise.all([rig.add(), rig.add()]);
  await Promise.all(nodes.map((node) => rig.ready(node)));
  await eventually(PATIENCE_MS, async () => {
    for (const node of nodes) {
      expect((await rig.sharesOf(node)).size).toBe(8);
    }
  });
  return nodes;
}

describe('two nodes on one database', () => {
  it('divide the keys between them, and no share is used by both', async () => {
    const [one, other] = await twoNodes();
    const ones = await rig.sharesOf(one);
    const others = await rig.sharesOf(other);
    expect([ones.size, others.size]).toEqual([8, 8]);
    expect(new Set([...ones, ...others]).size).toBe(16);
    expect([...ones].filter((share) => share.startsWith('k1')).length).toBe(4);
  });

  it('take over from a node that was killed, within its time and a second', async () => {
    const [one, other] = await twoNodes();
    const killedAt = performance.now();
    await one.kill();
    await eventually(PATIENCE_MS, async () => {
      expect((await rig.sharesOf(other)).size).toBe(16);
    });
    const ms = performance.now() - killedAt;
    process.stdout.write(`take-over after kill -9: ${Math.round(ms)} ms, lease ${LEASE_MS} ms\n`);
    expect(ms).toBeLessThan(3 * LEASE_MS);
  });

  it('give up what they hold when they stop in good order, at once', async () => {
    const [one, other] = await twoNodes();
    one.signal('SIGTERM');
    expect(await one.ended).toEqual([0, null]);
    await eventually(PATIENCE_MS, async () => {
      expect((await rig.sharesOf(other)).size).toBe(16);
    });
  });
});

describe('a node whose database hangs', () => {
  it('serves on within its time, then refuses at once, and is back by itself', async () => {
    const node = await rig.add();
    await rig.ready(node);
    rig.proxy.freeze();
    const frozenAt = performance.now();
    const answers = [];
    while (performance.now() - frozenAt < LEASE_MS / 2) {
      answers.push(await rig.ask(node));
    }
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    await eventually(PATIENCE_MS, async () => expect(await rig.isReady(node)).toBe(false));
    const refused = await rig.ask(node);
    expect(refused.status).toBe(500);
    expect(refused.text).toContain('are not held by this gateway');
    expect(refused.ms).toBeLessThan(1000);
    rig.proxy.thaw();
    const thawedAt = performance.now();
    await rig.ready(node);
    process.stdout.write(`back ${Math.round(performance.now() - thawedAt)} ms after the thaw\n`);
    expect((await rig.ask(node)).status).toBe(200);
  });
});
