import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type UsageRow } from '../../src/logs/records/usage.js';
import { type ChildGateway } from '../support/gateway/child-gateway.js';
import { ClusterRig } from '../support/gateway/cluster-rig.js';
import { OPERATOR } from '../support/gateway/keyed-gateway.js';
import { endless, jsonAnswer } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { withinOneDay } from '../support/watch/one-day.js';

let rig: ClusterRig;
let folder: string;

beforeEach(withinOneDay);
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-killed-'));
  rig = await ClusterRig.start();
});
afterEach(async () => {
  await rig.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Requests and errors of all nodes, as one of them tells. */
async function counted(node: ChildGateway): Promise<readonly number[]> {
  const response = await fetch(new URL('/dashboard/api/usage?days=2', node.baseUrl));
  const { rows } = (await response.json()) as { rows: UsageRow[] };
  const sum = (name: 'requests' | 'errors'): number => rows.reduce((total, row) => total + row[name], 0);
  return [sum('requests'), sum('errors')];
}

/** Requests that are under way according to the log's file: the gateway itself tells of those as well that are not there yet. */
function runningInFile(): unknown {
  const file = new DatabaseSync(join(folder, 'logs.db'), { readOnly: true });
  try {
    const sql = "SELECT count(*) AS requests FROM records WHERE kind = 'request' AND outcome = 'pending'";
    return file.prepare(sql).get()?.requests;
  } finally {
    file.close();
  }
}

/** Asks for a streamed completion. */
const begin = (node: ChildGateway): Promise<Response> =>
  fetch(`${node.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'svc-max', stream: true, messages: [{ role: 'user', content: 'hi' }] }),
  });

describe('usage of two nodes, one of which is killed', () => {
  it('adds up exactly once its file is back, the request that was cut off included', async () => {
    rig.stub.answerWith(jsonAnswer({ role: 'assistant', content: 'hello' }));
    const [killed, other] = await Promise.all([rig.add({ DATA_DIR: folder }), rig.add()]);
    await Promise.all([killed, other].map((node) => rig.ready(node)));
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) => rig.ask(at % 3 === 0 ? other : killed)),
    );
    // On a busy machine a node may lose its accounts for a moment; what it refuses then is counted, too.
    const statuses = answers.map(({ status }) => status);
    rig.stub.answerWith(endless(20));
    const response = await eventually(PATIENCE_MS, async () => {
      const begun = await begin(killed);
      if (begun.status !== 200) {
        statuses.push(begun.status);
      }
      expect(begun.status).toBe(200);
      return begun;
    });
    const cut = response.text();
    cut.catch(() => undefined);
    const failed = statuses.filter((status) => status !== 200).length;
    // It is noted in the file as running, and what has ended is counted.
    await eventually(PATIENCE_MS, async () => {
      expect(runningInFile()).toBe(1);
      expect(await counted(other)).toEqual([statuses.length, failed]);
    });
    await killed.kill();
    await expect(cut).rejects.toThrow();
    expect(await counted(other)).toEqual([statuses.length, failed]);
    const back = await rig.add({ DATA_DIR: folder });
    for (const node of [other, back]) {
      await eventually(PATIENCE_MS, async () =>
        expect(await counted(node)).toEqual([statuses.length + 1, failed + 1]),
      );
    }
  });
});

const LIMIT = 100_000;

const post = (node: ChildGateway, path: string, key: string, body: object = {}): Promise<Response> =>
  fetch(new URL(path, node.baseUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });

/** Tokens of the day that a key has left; undefined where the node has no part of its limit. */
async function tokensLeft(node: ChildGateway, key: string): Promise<number | undefined> {
  const { headers } = await post(node, '/log/ticket', key);
  const left = headers.get('x-ratelimit-remaining-tokens');
  return left === null ? undefined : Number(left);
}

describe('the tokens of the day', () => {
  it('are all there but for the used ones once a killed gateway is back', async () => {
    const usage = { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 };
    rig.stub.answerWith(jsonAnswer({ role: 'assistant', content: 'hello' }, 'stop', usage));
    const settings = { DATA_DIR: folder, API_KEY: OPERATOR };
    const killed = await rig.add(settings);
    await rig.ready(killed);
    const made = await post(killed, '/dashboard/api/keys', OPERATOR, { name: 'ann', tokensPerDay: LIMIT });
    const { secret } = (await made.json()) as { secret: string };
    await eventually(PATIENCE_MS, async () => expect(await tokensLeft(killed, secret)).toBe(LIMIT));
    for (const left of [LIMIT - 1200, LIMIT - 2400]) {
      await eventually(PATIENCE_MS, async () =>
        expect((await rig.ask(killed, 'hi', secret)).status).toBe(200),
      );
      expect(await tokensLeft(killed, secret)).toBe(left);
    }
    const counted = async (): Promise<number> => {
      const response = await fetch(new URL('/dashboard/api/usage?key=ann', killed.baseUrl), {
        headers: { authorization: `Bearer ${OPERATOR}` },
      });
      const { rows } = (await response.json()) as { rows: UsageRow[] };
      return rows.reduce((sum, row) => sum + row.promptTokens + row.completionTokens, 0);
    };
    await eventually(PATIENCE_MS, async () => expect(await counted()).toBe(2400));
    await killed.kill();
    const back = await rig.add(settings);
    await eventually(PATIENCE_MS, async () => expect(await tokensLeft(back, secret)).toBe(LIMIT - 2400));
    expect((await rig.ask(back, 'hi', secret)).status).toBe(200);
    expect(await tokensLeft(back, secret)).toBe(LIMIT - 3600);
  });
});
