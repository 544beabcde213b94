import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { KeyedGateway, OPERATOR, type Told } from '../support/gateway/keyed-gateway.js';
import { createUsedDatabase, type TestDatabase } from '../support/postgres/postgres-server.js';
import { answer } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { withinOneDay } from '../support/watch/one-day.js';

const USAGE = { prompt_tokens: 1, completion_tokens: 4, total_tokens: 5 };

let database: TestDatabase;
let admin: pg.Client;
let nodes: KeyedGateway[];

beforeEach(withinOneDay);
beforeEach(async () => {
  database = await createUsedDatabase();
  admin = new pg.Client({ connectionString: database.url });
  admin.on('error', () => undefined);
  await admin.connect();
  nodes = [];
  for (let count = 0; count < 2; count += 1) {
    nodes.push(
      await KeyedGateway.start({
        DATABASE_URL: database.url,
        SECRET_KEY: 'one secret for all',
        POOL_MAX_SESSIONS: 64,
        POOL_MAX_SESSIONS_PER_ACCOUNT: 64,
      }),
    );
  }
  nodes.forEach(({ gateway }) => gateway.stub.answerWith(answer({ pieces: ['Hello.'], usage: USAGE })));
});
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  await admin.end();
  await database.drop();
});

/** Makes a key, and waits until both nodes have their part of its limits. */
async function make(properties: object): Promise<string> {
  const secret = await nodes[0]!.make('ann', properties);
  await eventually(PATIENCE_MS, async () => {
    const { rows } = await admin.query<{ amount: string }>('SELECT amount FROM key_parts WHERE amount > 0');
    expect(rows.length).toBeGreaterThanOrEqual(2 * Object.keys(properties).length);
  });
  return secret;
}

/** A request that counts, without a completion. */
const touch = (node: KeyedGateway, key: string): Promise<Told> => node.ask('POST', '/log/ticket', key, {});

async function touchAll(key: string, count: number, on: readonly KeyedGateway[] = nodes): Promise<number> {
  const told = await Promise.all(Array.from({ length: count }, (_, at) => touch(on[at % on.length]!, key)));
  expect(told.every(({ status }) => status === 201 || status === 429)).toBe(true);
  return told.filter(({ status }) => status === 201).length;
}

/** Counts what is let in; apart, what is let in within a minute, since later requests are those of another minute. */
class LetIn {
  count = 0;
  withinMinute = 0;
  private readonly beganAt = performance.now();

  add(count: number): void {
    this.count += count;
    if (performance.now() - this.beganAt < 60_000) {
      this.withinMinute += count;
    }
  }
}

describe('limits of a key over two nodes', () => {
  it('let exactly so many requests a minute in, wherever they arrive', async () => {
    const key = await make({ requestsPerMinute: 60 });
    const letIn = new LetIn();
    let asked = 0;
    const askAll = async (): Promise<void> => {
      letIn.add(await touchAll(key, 60));
      asked += 60;
    };
    for (let round = 0; round < 4; round += 1) {
      await askAll();
    }
    // A node has what it lacks with an exchange of parts, for which no request waits.
    await eventually(PATIENCE_MS, async () => {
      await askAll();
      expect(letIn.count).toBeGreaterThanOrEqual(45);
    });
    process.stdout.write(`${letIn.count} of ${asked} let in, 60 allowed\n`);
    expect(letIn.withinMinute).toBeLessThanOrEqual(60);
  });

  it('move to the node where the requests are', async () => {
    const key = await make({ requestsPerMinute: 64 });
    const only = nodes[1]!;
    let letIn = 0;
    await eventually(PATIENCE_MS, async () => {
      letIn += await touchAll(key, 16, [only]);
      // All but a quarter of the other's half.
      expect(letIn).toBeGreaterThanOrEqual(56);
    });
    const told = await touch(nodes[0]!, key);
    expect(told.headers.get('x-ratelimit-limit-requests')).toBe('64');
  });

  it('let never more tokens a day be set aside', async () => {
    // A prompt of one token, and 9 for the answer, of which five are used.
    const key = await make({ tokensPerDay: 200 });
    await eventually(PATIENCE_MS, async () => {
      for (const node of nodes) {
        expect((await fetch(`${node.gateway.origin}/health/ready`)).status).toBe(200);
      }
    });
    let answered = 0;
    for (let round = 0; round < 6; round += 1) {
      const told = await Promise.all(
        Array.from({ length: 16 }, (_, at) => nodes[at % 2]!.complete(key, { max_tokens: 9 })),
      );
      expect(told.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
      answered += told.filter(({ status }) => status === 200).length;
    }
    process.stdout.write(`${answered} answers of 5 tokens, of 200 tokens\n`);
    expect(answered * 5).toBeLessThanOrEqual(200);
    expect(answered * 5).toBeGreaterThanOrEqual(100);
  });

  it('follow a change of the limit, and stay with what a stopped node has used', async () => {
    const key = await make({ requestsPerMinute: 10 });
    const letIn = new LetIn();
    await eventually(PATIENCE_MS, async () => {
      letIn.add(await touchAll(key, 10));
      expect(letIn.count).toBeGreaterThanOrEqual(10);
    });
    await nodes.pop()!.close();
    letIn.add(await touchAll(key, 4));
    await nodes[0]!.ask('PATCH', '/dashboard/api/keys/ann', OPERATOR, { requestsPerMinute: 12 });
    await eventually(PATIENCE_MS, async () => {
      letIn.add(await touchAll(key, 4));
      expect(letIn.count).toBeGreaterThanOrEqual(12);
    });
    expect(letIn.withinMinute).toBeLessThanOrEqual(12);
  });
});
