import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ChildGateway } from '../support/gateway/child-gateway.js';
import { ClusterRig } from '../support/gateway/cluster-rig.js';
import { jsonAnswer, rateLimited } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const ANSWER = jsonAnswer({ role: 'assistant', content: 'hello' });
const LIMIT = rateLimited({ retryAfter: '3600' });

let rig: ClusterRig;

beforeEach(async () => {
  rig = await ClusterRig.start();
  rig.stub.listModels({ id: 'big' }, { id: 'small' });
  rig.stub.answerWith(ANSWER);
});

afterEach(() => rig.close());

/** Starts two nodes, each with half of the keys, which have one session each. */
async function startTwo(keys: string): Promise<[ChildGateway, ChildGateway]> {
  const settings = {
    UPSTREAM_API_KEYS: keys,
    POOL_MAX_SESSIONS_PER_ACCOUNT: '1',
    // Nobody dies here: a node that merely had to wait for the processor keeps its keys.
    NODE_LEASE_MS: '15000',
  };
  const [one, other] = [await rig.add(settings), await rig.add(settings)];
  await evenlyDivided(keys.split(',').length / 2);
  await Promise.all([rig.ready(one), rig.ready(other)]);
  return [one, other];
}

const evenlyDivided = (each: number): Promise<void> =>
  eventually(PATIENCE_MS, async () => expect(await rig.sharesByNode()).toEqual([each, each]));

async function ask(node: ChildGateway, model: string): Promise<number> {
  const response = await fetch(`${node.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream: false, messages: [{ role: 'user', content: 'hi' }] }),
  });
  await response.text();
  return response.status;
}

describe('two nodes with keys that are limited', () => {
  it('serve by the last key of the other one while their own has reached its limit', async () => {
    const nodes = await startTwo('k1,k2');
    expect(await ask(nodes[0], 'small')).toBe(200);
    const limited = rig.stub.requests.at(-1)!.key;
    rig.stub.answerWith((reply) => (reply.request.key === limited ? LIMIT : ANSWER)(reply));
    for (const node of [...nodes, ...nodes]) {
      expect(await ask(node, 'small')).toBe(200);
    }
    expect(rig.stub.requests.filter(({ key }) => key === limited)).toHaveLength(2);
    // The one that serves leaves the other one the limited key, so that both have one when the limit is over.
    await evenlyDivided(1);
  });

  it('lend each other for one model what is limited for another', async () => {
    const [one, other] = await startTwo('k1,k2,k3,k4');
    rig.stub.answerWith((reply) => (reply.request.body.model === 'big' ? LIMIT : ANSWER)(reply));
    // A request tries three of them.
    expect([await ask(one, 'big'), await ask(one, 'big')]).toEqual([429, 429]);
    expect(new Set(rig.stub.requests.map(({ key }) => key)).size).toBe(4);
    const atOnce = Promise.withResolvers<void>();
    rig.stub.requests.length = 0;
    rig.stub.answerWith(async (reply) => {
      if (rig.stub.requests.length === 3) {
        atOnce.resolve();
      }
      await atOnce.promise;
      await ANSWER(reply);
    });
    expect(await Promise.all([1, 2, 3].map(() => ask(other, 'small')))).toEqual([200, 200, 200]);
    expect(new Set(rig.stub.requests.map(({ key }) => key)).size).toBe(3);
  });
});
