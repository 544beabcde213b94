import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ChildGateway } from '../support/gateway/child-gateway.js';
import { ClusterRig, ENDLESS, speaking } from '../support/gateway/cluster-rig.js';
import { jsonAnswer, rateLimited } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const ANSWER = jsonAnswer({ role: 'assistant', content: 'hello' });

let rig: ClusterRig;

beforeEach(async () => {
  rig = await ClusterRig.start();
  rig.stub.answerWith(ANSWER);
});

afterEach(() => rig.close());

/** Starts a node that takes the whole key, then one that gets its half of it. */
async function oneAfterTheOther(sessions: string): Promise<[ChildGateway, ChildGateway]> {
  const settings = {
    UPSTREAM_API_KEYS: 'k1',
    POOL_MAX_SESSIONS_PER_ACCOUNT: sessions,
    POOL_ACQUIRE_TIMEOUT_MS: String(PATIENCE_MS),
    RATE_LIMIT_COOLDOWN_MS: '1500',
    WAIT_FOR_COOLDOWN_MS: '0',
  };
  const one = await rig.add(settings);
  await rig.ready(one);
  const other = await rig.add(settings);
  await eventually(PATIENCE_MS, async () => {
    const held = await rig.sharesByNode();
    expect([held.length, held[0]]).toEqual([2, held[1]]);
  });
  await rig.ready(other);
  return [one, other];
}

/** Whether a node has the first share; its shares take prompts by turns. */
async function hasFirst(node: ChildGateway): Promise<boolean> {
  rig.takeFences();
  for (let turn = 0; turn < 8; turn++) {
    expect((await rig.ask(node)).status).toBe(200);
  }
  return rig.takeFences().some(({ share }) => share === 0);
}

describe('one key on two nodes', () => {
  it.each(['64', '4'])(
    'is probed by the one that has requests, though the other one may, and idles (%s sessions)',
    async (sessions) => {
      const nodes = await oneAfterTheOther(sessions);
      const asked = (await hasFirst(nodes[1])) ? nodes[0] : nodes[1];
      rig.stub.answerWith(rateLimited());
      expect((await rig.ask(asked)).status).toBe(429);
      rig.stub.answerWith(ANSWER);
      let status = 429;
      await eventually(PATIENCE_MS, async () => {
        ({ status } = await rig.ask(asked));
        expect(status).not.toBe(429);
      });
      expect(status).toBe(200);
    },
  );

  it('leaves each a session of four, whatever the other one is asked', async () => {
    const [one, other] = await oneAfterTheOther('4');
    const end = Promise.withResolvers<void>();
    rig.stub.answerWith(speaking(end.promise));
    rig.takeFences();
    const running = Array.from({ length: 4 }, () => rig.ask(other, ENDLESS));
    // Its own two, and one that the other node does not need.
    await eventually(PATIENCE_MS, () => expect(rig.stub.requests).toHaveLength(3));
    await rig.afterBeats();
    expect((await rig.ask(one)).status).toBe(200);
    end.resolve();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
});
