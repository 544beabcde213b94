import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { DatabaseProxy } from '../postgres/database-proxy.js';
import { createUsedDatabase, type TestDatabase } from '../postgres/postgres-server.js';
import { OpenAiStub, type StubPlan } from '../upstream/openai-stub.js';
import { chunk, jsonAnswer } from '../upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../watch/eventually.js';
import { processPace } from '../watch/machine-pace.js';
import { ChildGateway } from './child-gateway.js';

/** The shortest lease that the gateway accepts. */
const LEASE_MS = 3000;
/** A node that waits for the processor must not lose its accounts; a longer stretch would only make the tests slow. */
const MAX_STRETCH = 3;

/** A time limit that a gateway keeps on this machine, as busy as it is. @param quietMs the limit on a quiet machine */
export async function stretchedMs(quietMs: number): Promise<number> {
  return Math.round(quietMs * Math.min(MAX_STRETCH, await processPace.factor()));
}

/** A short lease of a node; the shortest on a quiet machine by default. */
export function shortLeaseMs(quietMs = LEASE_MS): Promise<number> {
  return stretchedMs(quietMs);
}

/** Prompt whose answer goes on until `speaking` says so. */
export const ENDLESS = 'endless';

/** Answers prompts at once, but `ENDLESS` ones piece by piece until the promise settles. */
export function speaking(end: Promise<void>): StubPlan {
  let isOver = false;
  void end.then(() => (isOver = true));
  return async (reply) => {
    if (reply.request.body.messages?.at(-1)?.content !== ENDLESS) {
      await jsonAnswer({ role: 'assistant', content: 'hello' })(reply);
      return;
    }
    do {
      await reply.event(chunk({ content: 'x' }));
      await reply.wait(100);
    } while (!isOver && !reply.isClientGone);
    await reply.event(chunk({}, 'stop'));
    await reply.event('[DONE]');
    reply.end();
  };
}

/** Fencing token of one prompt, as the upstream saw it. */
export interface SeenFence {
  readonly key: string;
  readonly share: number;
  readonly term: number;
}

export interface ClusterAnswer {
  readonly status: number;
  readonly ms: number;
  readonly text: string;
}

/** Several gateways, each a process of its own, on one database, in front of one scripted upstream. */
export class ClusterRig {
  readonly nodes: ChildGateway[] = [];
  private readonly folders: string[] = [];
  private taken = 0;

  private constructor(
    readonly stub: OpenAiStub,
    private readonly database: TestDatabase,
    readonly proxy: DatabaseProxy,
    /** `NODE_LEASE_MS` of nodes that are given none. */
    readonly nodeLeaseMs: number,
  ) {}

  /** @param made by default one on the server of this worker */
  static async start(made?: TestDatabase): Promise<ClusterRig> {
    const database = made ?? (await createUsedDatabase());
    const proxy = await DatabaseProxy.start(database.url);
    return new ClusterRig(await OpenAiStub.start(), database, proxy, await shortLeaseMs());
  }

  /** Starts another node. */
  async add(settings: Readonly<Record<string, string>> = {}): Promise<ChildGateway> {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-node-'));
    this.folders.push(folder);
    const node = await ChildGateway.start({
      DATA_DIR: folder,
      DATABASE_URL: this.proxy.url,
      SECRET_KEY: 'one secret for all',
      NODE_LEASE_MS: String(this.nodeLeaseMs),
      PROVIDER: 'openai',
      UPSTREAM_BASE_URL: this.stub.baseUrl,
      UPSTREAM_API_KEYS: 'k1,k2',
      UPSTREAM_FENCE: 'true',
      POOL_MAX_SESSIONS_PER_ACCOUNT: '8',
      RETRY_BASE_DELAY_MS: '1',
      RETRY_MAX_DELAY_MS: '1',
      ...settings,
    });
    this.nodes.push(node);
    return node;
  }

  /**
   * @param content of the prompt; an answer to `endless` is streamed
   * @param key of the caller, where the gateway wants one
   */
  async ask(node: Pick<ChildGateway, 'baseUrl'>, content = 'hi', key?: string): Promise<ClusterAnswer> {
    const began = performance.now();
    const response = await fetch(`${node.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({
        model: 'svc-max',
        stream: content === ENDLESS,
        messages: [{ role: 'user', content }],
      }),
    });
    const text = await response.text();
    return { status: response.status, ms: performance.now() - began, text };
  }

  async isReady(node: ChildGateway): Promise<boolean> {
    return (await fetch(new URL('/health/ready', node.baseUrl))).status === 200;
  }

  /** Waits until a node serves. */
  ready(node: ChildGateway): Promise<void> {
    return eventually(PATIENCE_MS, async () => {
      if (!(await this.isReady(node))) {
        throw new Error('the node has no account');
      }
    });
  }

  /**
   * Prompts since the last call that came under a lower term than an earlier one with the same share.
   * @param terms the highest term of each share so far
   */
  noteTerms(terms: Map<string, number>): string[] {
    return this.takeFences().flatMap(({ key, share, term }) => {
      const name = `${key} ${share}`;
      const highest = terms.get(name) ?? 0;
      terms.set(name, Math.max(highest, term));
      return term < highest ? [`${name}: term ${term} after ${highest}`] : [];
    });
  }

  /** Number of nodes in the database. */
  async nodeCount(): Promise<number> {
    return (await this.query('SELECT FROM nodes')).length;
  }

  /** Number of shares of each node, from the database. */
  async sharesByNode(): Promise<number[]> {
    const sql = 'SELECT count(*)::integer AS held FROM tenures WHERE until > clock_timestamp() GROUP BY node';
    return (await this.query<{ held: number }>(sql)).map(({ held }) => held);
  }

  /** Waits until each node has told the database once more that it lives. */
  async afterBeats(): Promise<void> {
    const seen = async () =>
      (await this.query<{ at: string }>('SELECT min(seen_at)::text AS at FROM nodes'))[0]!.at;
    const [row] = await this.query<{ now: string }>('SELECT clock_timestamp()::text AS now');
    await eventually(PATIENCE_MS, async () => {
      if ((await seen()) <= row!.now) {
        throw new Error('a node is silent');
      }
    });
  }

  /** Asks the database, past the proxy. */
  async query<Row extends object>(sql: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.database.url });
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** Asks again while the answer is a rate limit. */
  async askUntilServed(node: ChildGateway): Promise<void> {
    await eventually(PATIENCE_MS, async () => {
      const { status, text } = await this.ask(node);
      if (status !== 200) {
        throw new Error(`${status} ${text}`);
      }
    });
  }

  /** Prompts that the upstream ever got. */
  get prompts(): number {
    return this.taken + this.stub.requests.length;
  }

  /** The fences of the prompts since the last call, in their order. */
  takeFences(): SeenFence[] {
    this.taken += this.stub.requests.length;
    return this.stub.requests.splice(0).map(({ key, headers }) => {
      const [share, term] = String(headers['x-gateway-fence']).split('/').map(Number);
      return { key, share: share!, term: term! };
    });
  }

  /** The shares that a node uses, found by asking it, by so few at a time that it borrows none. */
  async sharesOf(node: ChildGateway): Promise<Set<string>> {
    this.takeFences();
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let asked = 0; asked < 8; asked++) {
          const { status, text } = await this.ask(node);
          if (status !== 200) {
            throw new Error(`${status} ${text}`);
          }
        }
      }),
    );
    return new Set(this.takeFences().map(({ key, share }) => `${key} ${share}`));
  }

  async close(): Promise<void> {
    this.proxy.thaw();
    await Promise.all(this.nodes.map((node) => node.kill()));
    await this.proxy.close();
    await this.stub.close();
    await this.database.drop();
    this.folders.forEach((folder) => rmSync(folder, { recursive: true, force: true }));
  }
}
