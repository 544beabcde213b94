import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type PromptRecord } from '../../src/sandbox/state/sandbox-records.js';
import { RemoteChromium } from '../support/browser/remote-chromium.js';
import { BACKEND, Balancer, freePort, SERVED_BY, whyNoBalancer } from '../support/cluster/balancer.js';
import { SharedSite } from '../support/cluster/shared-site.js';
import { type ChildGateway } from '../support/gateway/child-gateway.js';
import { ClusterRig, stretchedMs } from '../support/gateway/cluster-rig.js';
import { type Received, StreamCaller } from '../support/gateway/stream-caller.js';
import { answer, failed } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const whyNot = whyNoBalancer();
const CALLERS = 40;
/** So many that each of three accounts is wanted. */
const FEW_CALLERS = 12;
const STREAMS = 50;
/** Longer than the balancer of these tests needs to notice, which is 0.6 s. */
const NOTICE_MS = 2000;
/** What many callers, and pages of two browsers on one busy machine, wait for each other is no matter here. */
const UNHURRIED = {
  POOL_ACQUIRE_TIMEOUT_MS: '300000',
  UPSTREAM_FIRST_BYTE_MS: '300000',
  POOL_MAX_SESSIONS_PER_ACCOUNT: '2',
};
/** Time that two nodes' records of one account may overlap: they are noted by one process. */
const NO_OVERLAP = 0;

(whyNot === undefined ? describe : describe.skip)(
  `two nodes behind HAProxy${whyNot ? ` (${whyNot})` : ''}`,
  () => {
    let rig: ClusterRig;
    let ports: number[];
    let stop: Record<string, string>;
    let nodes: ChildGateway[];
    let balancer: Balancer;

    beforeEach(async () => {
      rig = await ClusterRig.start();
      ports = [await freePort(), await freePort()];
      stop = { SHUTDOWN_DELAY_MS: String(await stretchedMs(NOTICE_MS)), DRAIN_MS: '60000' };
      balancer = await Balancer.start(ports);
    });
    afterEach(async () => {
      await balancer.close();
      await rig.close();
    });

    const start = (at: number, settings: Record<string, string>): Promise<ChildGateway> =>
      rig.add({ PORT: String(ports[at]), ...stop, NODE_LEASE_MS: '30000', ...settings });

    async function startBoth(settings: Record<string, string>): Promise<void> {
      nodes = await Promise.all([start(0, settings), start(1, settings)]);
    }

    it('while none is ready, leads a browser to one gateway, and lets it say why in its own words', async () => {
      // Keys that are known to be wrong go out at once; a mere 401 might be about the one prompt.
      rig.stub.answerWith(failed(401, { message: 'Incorrect API key provided', code: 'invalid_api_key' }));
      await startBoth({ NODE_LEASE_MS: String(rig.nodeLeaseMs) });
      await refusedAsUnready();
      const page = new URL('/dashboard/', balancer.baseUrl);
      const first = await fetch(page);
      expect(first.status).toBe(200);
      const [cookie = ''] = first.headers.getSetCookie();
      expect(cookie).toMatch(/^gateway=gateway-\d; path=\/; HttpOnly; SameSite=Strict$/);
      const headers = { cookie: cookie.split(';')[0]! };
      for (let asked = 0; asked < 10; asked++) {
        const { headers: of } = await fetch(new URL('/dashboard/api/accounts', page), { headers });
        expect(of.get(SERVED_BY)).toBe(first.headers.get(SERVED_BY));
      }
      nodes[1]!.signal('SIGKILL');
      await eventually(PATIENCE_MS, async () => {
        const refused = await refusedAsUnready();
        expect(refused.headers.get(SERVED_BY)).toBe('gateway-1');
        expect(await refused.json()).toMatchObject({
          error: { type: 'server_error', code: 'internal_error' },
        });
      });
    });

    /** The answer to a prompt once the balancer has found no gateway ready. */
    function refusedAsUnready(): Promise<Response> {
      return eventually(PATIENCE_MS, async () => {
        const response = await fetch(new URL('/v1/chat/completions', balancer.baseUrl), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'svc-max', messages: [{ role: 'user', content: 'hi' }] }),
        });
        expect(response.headers.get(BACKEND)).toBe('unready');
        return response;
      });
    }

    /** Replaces one node after the other, each once the balancer has found out that the other serves. */
    async function deploy(settings: Record<string, string>): Promise<void> {
      for (const at of [0, 1]) {
        nodes[at]!.signal('SIGTERM');
        expect(await nodes[at]!.ended).toEqual([0, null]);
        nodes[at] = await start(at, settings);
        await eventually(PATIENCE_MS, () => isServed(at));
      }
    }

    /** The balancer sends to the node with the fewest answers under way, so to one that it has just taken up. */
    async function isServed(at: number): Promise<void> {
      const { headers, status } = await fetch(new URL('/health/ready', balancer.baseUrl));
      expect([headers.get(SERVED_BY), status]).toEqual([`gateway-${at + 1}`, 200]);
    }

    it('a rolling deploy under 50 streams cuts none', async () => {
      const settings = { POOL_MAX_SESSIONS: '128', POOL_MAX_SESSIONS_PER_ACCOUNT: '64' };
      rig.stub.answerWith(answer({ pieces: 20, intervalMs: 50 }));
      await startBoth(settings);
      await eventually(PATIENCE_MS, () => isServed(0));
      await eventually(PATIENCE_MS, () => isServed(1));
      let isOver = false;
      const ends: Received[] = [];
      const callers = Array.from({ length: STREAMS }, async () => {
        while (!isOver) {
          ends.push(await new StreamCaller(balancer.baseUrl, 'hi').ended);
        }
      });
      await eventually(PATIENCE_MS, () => expect(ends.length).toBeGreaterThan(STREAMS));
      await deploy(settings).finally(() => (isOver = true));
      await Promise.all(callers);
      process.stdout.write(`rolling deploy: ${ends.length} streams\n`);
      const broken = ends.filter(({ status, text }) => status !== 200 || !text.endsWith('data: [DONE]\n\n'));
      expect(broken.map(({ status, text }) => [status, text])).toEqual([]);
    });

    describe('with browsers', () => {
      let site: SharedSite;

      beforeEach(async () => {
        site = await SharedSite.start();
      });
      afterEach(() => site.close());

      /** Accounts that are ready at the gateway that holds them, each of them with a session that was opened. */
      const loggedIn = async (): Promise<string[]> => {
        const views = (await Promise.all(nodes.map((node) => node.accounts()))).flat();
        return views
          .filter(({ state, sessions }) => state === 'ready' && sessions > 0)
          .map(({ name }) => name);
      };

      /** @param first number in the prompts, one for each caller */
      const burst = (callers: number, first = 0) =>
        Array.from(
          { length: callers },
          (_, at) => new StreamCaller(balancer.baseUrl, `[[say:hello]] #${first + at}#`),
        );

      /** Both nodes are started, and have all accounts between them. */
      async function startWithAccounts(browsers: Record<string, string>): Promise<Record<string, string>> {
        const settings = { ...site.settings, ...browsers, ...UNHURRIED };
        await startBoth(settings);
        await site.addAccounts(nodes[0]!);
        await eventually(PATIENCE_MS, async () => {
          expect((await loggedIn()).sort()).toEqual(site.sandbox.accounts.map(({ name }) => name));
          expect((await rig.sharesByNode()).sort()).toEqual([1, 2]);
        });
        await eventually(PATIENCE_MS, () => isServed(0));
        await eventually(PATIENCE_MS, () => isServed(1));
        return settings;
      }

      /** 40 callers are served by three accounts, none of them by two nodes at once. */
      async function serveMany(): Promise<void> {
        const { sandbox } = site;
        const ends: Received[] = [];
        const servedBy = (record: PromptRecord) =>
          ends[Number(/#(\d+)#/.exec(record.promptTail)?.[1])]?.headers.get(SERVED_BY);
        // All come once more if one node got none: while it is too busy for the balancer's question, it is passed over.
        await eventually(PATIENCE_MS, async () => {
          ends.push(...(await Promise.all(burst(CALLERS, ends.length).map(({ ended }) => ended))));
          expect(new Set(sandbox.records.map(servedBy)).size).toBe(2);
        });
        expect(ends.filter(isNotHello).map(({ status, text }) => [status, text])).toEqual([]);
        expect(overlaps(sandbox.records, servedBy)).toBe(NO_OVERLAP);
      }

      /** A rolling deploy cuts none of the streams, and the accounts answer after it. */
      async function deployUnderStreams(settings: Record<string, string>): Promise<void> {
        const during = Array.from(
          { length: 6 },
          () => new StreamCaller(balancer.baseUrl, '[[chunks:100x20ms]]'),
        );
        await Promise.all(during.map(({ began }) => began));
        await deploy(settings);
        const whole = (await Promise.all(during.map(({ ended }) => ended))).map(({ text }) =>
          text.endsWith('data: [DONE]\n\n'),
        );
        expect(whole).toEqual(during.map(() => true));
        const after = await new StreamCaller(balancer.baseUrl, '[[say:hello]]').ended;
        expect([after.status, after.answer]).toEqual([200, 'hello']);
      }

      it('serves 40 callers by three accounts, none of them by two nodes at once, and hands them over without a login', async () => {
        const settings = await startWithAccounts({});
        // Usually one each; more where this machine was too busy for a login in time.
        const before = site.logins;
        await serveMany();
        await deployUnderStreams(settings);
        expect(site.logins).toEqual(before);
      });

      it('hands them over likewise with browsers on other machines, which hold one context an account while its node lives', async () => {
        const remote = await Promise.all([RemoteChromium.start(), RemoteChromium.start()]);
        const contexts = async (): Promise<number> =>
          (await Promise.all(remote.map((browser) => browser.contexts()))).flat().length;
        try {
          const endpoints = remote.map(({ endpoint }) => endpoint).join(',');
          const settings = await startWithAccounts({ BROWSER_ENDPOINTS: endpoints });
          const before = site.logins;
          await deployUnderStreams(settings);
          expect(site.logins).toEqual(before);
          // A session opens when it is wanted: without callers, an account may have none after the deploy.
          await eventually(PATIENCE_MS, async () => {
            await Promise.all(burst(FEW_CALLERS).map(({ ended }) => ended));
            expect(await contexts()).toBe(site.sandbox.accounts.length);
          });
          nodes.forEach((node) => node.signal('SIGKILL'));
          await eventually(PATIENCE_MS, async () => expect(await contexts()).toBe(0));
        } finally {
          await Promise.all(remote.map((browser) => browser.close()));
        }
      });
    });
  },
);

const isNotHello = ({ status, answer: said }: Received): boolean => status !== 200 || said !== 'hello';

/** Number of times that two nodes used one account at the same time. */
function overlaps(
  records: readonly PromptRecord[],
  servedBy: (record: PromptRecord) => string | null | undefined,
): number {
  const pairs = records.flatMap((one, at) => records.slice(at + 1).map((other) => [one, other] as const));
  return pairs.filter(
    ([one, other]) =>
      one.account === other.account &&
      servedBy(one) !== servedBy(other) &&
      one.acceptedAt < (other.endedAt ?? Infinity) &&
      other.acceptedAt < (one.endedAt ?? Infinity),
  ).length;
}
