import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AccountView } from '../../src/dashboard/account-view.js';
import { type NodeView } from '../../src/dashboard/nodes/node-view.js';
import { type ChildGateway } from '../support/gateway/child-gateway.js';
import { ClusterRig } from '../support/gateway/cluster-rig.js';
import { jsonAnswer, rateLimited } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { processPace } from '../support/watch/machine-pace.js';

let rig: ClusterRig;

async function startRig(): Promise<void> {
  rig = await ClusterRig.start();
  rig.stub.answerWith(jsonAnswer({ role: 'assistant', content: 'hello' }));
}

/** Has a rig for each test of a group. */
function useOwnRig(): void {
  beforeEach(startRig);
  afterEach(() => rig.close());
}

/** Starts two nodes, and waits until each has its half of the shares of both keys. */
async function twoNodes(settings: Record<string, string> = {}): Promise<[ChildGateway, ChildGateway]> {
  const nodes = await Promise.all([rig.add(settings), rig.add(settings)]);
  await Promise.all(nodes.map((node) => rig.ready(node)));
  await evenlyDivided(4 * (settings.UPSTREAM_API_KEYS ?? 'k1,k2').split(',').length);
  return nodes;
}

const evenlyDivided = (half: number): Promise<void> =>
  eventually(PATIENCE_MS, async () => expect(await rig.sharesByNode()).toEqual([half, half]));

describe('two nodes on one database', () => {
  let nodes: readonly [ChildGateway, ChildGateway];

  beforeAll(async () => {
    await startRig();
    nodes = await twoNodes();
  });
  // A machine that stood still may have cost one of them its shares.
  beforeEach(() => evenlyDivided(8));
  afterAll(() => rig.close());

  it('divide the keys between them, and no share is used by both', async () => {
    const [one, other] = nodes;
    await eventually(PATIENCE_MS, async () => {
      const ones = await rig.sharesOf(one);
      const others = await rig.sharesOf(other);
      expect([ones.size, others.size]).toEqual([8, 8]);
      expect(new Set([...ones, ...others]).size).toBe(16);
      expect([...ones].filter((share) => share.startsWith('k1')).length).toBe(4);
    });
  });

  it('show on each who uses which key', async () => {
    const read = async <T>({ baseUrl }: ChildGateway, what: string): Promise<T> =>
      (await fetch(new URL(`/dashboard/api/${what}`, baseUrl))).json() as Promise<T>;
    const holdersOf = ({ holders }: AccountView) =>
      holders?.map(({ isThisNode, shares, until }) => [isThisNode, shares, until > Date.now()]).sort();
    const both = [
      [false, 4, true],
      [true, 4, true],
    ];
    for (const node of nodes) {
      // Without holders, as long as a busy machine lets a statement run out of time.
      await eventually(PATIENCE_MS, async () => {
        const { accounts } = await read<{ accounts: readonly AccountView[] }>(node, 'accounts');
        expect(accounts.map(holdersOf)).toEqual([both, both]);
        // By the names that the cards of the gateways have.
        const { nodes: cards } = await read<{ nodes: readonly NodeView[] }>(node, 'nodes');
        expect(accounts[0]!.holders!.map(({ nodeId, logName }) => [nodeId, logName])).toEqual(
          cards.map(({ id, logName = 'not open yet' }) => [id, logName]),
        );
      });
    }
  });
});

describe('two nodes on one database, one of which may stop', () => {
  useOwnRig();

  it('take over from a node that was killed, within its time and a second', async () => {
    const [one, other] = await twoNodes();
    const killedAt = performance.now();
    await one.kill();
    await eventually(PATIENCE_MS, async () => {
      expect((await rig.sharesOf(other)).size).toBe(16);
    });
    const ms = performance.now() - killedAt;
    process.stdout.write(`take-over after kill -9: ${Math.round(ms)} ms, lease ${rig.nodeLeaseMs} ms\n`);
    await processPace.expectWithin(ms - rig.nodeLeaseMs, 1000);
  });

  it('send one probe for a key after its cooldown, and have it back on both', async () => {
    const [one, other] = await twoNodes({
      UPSTREAM_API_KEYS: 'k1',
      RATE_LIMIT_COOLDOWN_MS: '1500',
      WAIT_FOR_COOLDOWN_MS: '0',
    });
    rig.stub.answerWith(rateLimited());
    expect((await rig.ask(one)).status).toBe(429);
    await eventually(PATIENCE_MS, async () => expect((await rig.ask(other)).status).toBe(429));
    rig.takeFences();
    let early = 0;
    const answered = Promise.withResolvers<void>();
    rig.stub.answerWith(async (reply) => {
      early += 1;
      await answered.promise;
      await jsonAnswer({ role: 'assistant', content: 'hello' })(reply);
    });
    const asking = Array.from({ length: 12 }, (_, at) => rig.askUntilServed(at % 2 ? one : other));
    await eventually(PATIENCE_MS, () => expect(early).toBe(1));
    await rig.afterBeats();
    expect(early).toBe(1);
    answered.resolve();
    await Promise.all(asking);
  });

  it('serve requests on a node whose keys the other one has', async () => {
    const one = await rig.add({ UPSTREAM_API_KEYS: 'k1', POOL_MAX_SESSIONS_PER_ACCOUNT: '1' });
    await rig.ready(one);
    const other = await rig.add({ UPSTREAM_API_KEYS: 'k1', POOL_MAX_SESSIONS_PER_ACCOUNT: '1' });
    await eventually(PATIENCE_MS, async () => expect(await rig.nodeCount()).toBe(2));
    await rig.afterBeats();
    // One session for all is one share, which goes to whoever has a request.
    const answers = [];
    for (let turn = 0; turn < 4; turn++) {
      answers.push(await rig.ask(turn % 2 ? one : other));
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('send no prompt under a lower term after one was frozen for longer than its time', async () => {
    const [one, other] = await twoNodes();
    rig.takeFences();
    const terms = new Map<string, number>();
    const late: string[] = [];
    const noteTerms = () => late.push(...rig.noteTerms(terms));
    const askBoth = () => Promise.all(Array.from({ length: 16 }, (_, at) => rig.ask(at % 2 ? one : other)));
    await askBoth();
    noteTerms();
    one.signal('SIGSTOP');
    await eventually(PATIENCE_MS, async () => {
      await Promise.all(Array.from({ length: 32 }, () => rig.ask(other)));
      noteTerms();
      expect(terms.size).toBe(16);
    });
    const whileFrozen = rig.ask(one);
    one.signal('SIGCONT');
    await whileFrozen;
    await eventually(PATIENCE_MS, async () => {
      const answers = await askBoth();
      noteTerms();
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    });
    expect(late).toEqual([]);
  });

  it('give up what they hold when they stop in good order, at once', async () => {
    const [one, other] = await twoNodes();
    one.signal('SIGTERM');
    expect(await one.ended).toEqual([0, null]);
    expect(await rig.nodeCount()).toBe(1);
    await eventually(PATIENCE_MS, async () => {
      expect((await rig.sharesOf(other)).size).toBe(16);
    });
  });
});

describe('a node whose database hangs', () => {
  useOwnRig();

  it('serves on within its time, then refuses at once, and is back by itself', async () => {
    const node = await rig.add();
    await rig.ready(node);
    rig.proxy.freeze();
    const frozenAt = performance.now();
    const answers = [];
    for (;;) {
      const answer = await rig.ask(node);
      // One that takes long may end after the lease.
      if (answers.length > 0 && performance.now() - frozenAt >= rig.nodeLeaseMs / 2) {
        break;
      }
      answers.push(answer);
    }
    process.stdout.write(`${answers.length} prompts while the database hung\n`);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    await eventually(PATIENCE_MS, async () => expect(await rig.isReady(node)).toBe(false));
    const refused = await rig.ask(node);
    expect(refused.status).toBe(500);
    expect(refused.text).toContain('the shared database cannot be reached');
    await processPace.expectWithin(refused.ms, 1000);
    for (const page of ['accounts', 'overview', 'settings', 'keys', 'usage', 'nodes', 'audit']) {
      const began = performance.now();
      const { status } = await fetch(new URL(`/dashboard/api/${page}`, node.baseUrl));
      expect([page, status]).toEqual([page, ['nodes', 'audit'].includes(page) ? 500 : 200]);
      await processPace.expectWithin(performance.now() - began, 1500);
    }
    rig.proxy.thaw();
    const thawedAt = performance.now();
    await rig.ready(node);
    process.stdout.write(`back ${Math.round(performance.now() - thawedAt)} ms after the thaw\n`);
    expect((await rig.ask(node)).status).toBe(200);
  });
});
