import { join } from 'node:path';
import { type DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EchoStage } from '../../src/chat/echo/echo.stage.js';
import { Settings } from '../../src/common/config/settings.js';
import { selectNumber } from '../../src/common/store/sqlite/sqlite.js';
import { openForReading } from '../../src/logs/store/log-database.js';
import { type LoggedRerun, rerunLog, type RerunRange } from '../../src/rerun/rerun-log.js';
import { rerunTools } from '../rerun/rerun-tools.js';
import { conversation, ECHO_SCENE, echoesUntilCorrected, TOOL } from '../support/gateway/echo-rig.js';
import { KeyedGateway, OPERATOR } from '../support/gateway/keyed-gateway.js';
import { ASK } from '../support/gateway/stub-gateway.js';
import { answer, endless, failed, resets } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { ENDPOINTS } from '../support/wire/endpoints.js';

const REQUESTS = 14;
const CALLS = [{ id: 'call_1', name: 'read', arguments: ['{"path":', '"a.ts"}'] }];

const [, , [, RESPONSES]] = ENDPOINTS;

describe('a log of recorded requests, while its gateway runs', () => {
  let keyed: KeyedGateway;
  let database: DatabaseSync;
  const tools = rerunTools();

  beforeAll(async () => {
    keyed = await KeyedGateway.start({ RECORD_UPSTREAM: 'all', ECHO_ACTION: 'drop' });
    await makeTraffic(keyed);
    database = openForReading(join(keyed.gateway.settings.DATA_DIR, 'logs.db'));
    await eventually(PATIENCE_MS, () =>
      expect(selectNumber(database, 'SELECT count(*) FROM recordings')).toBe(REQUESTS),
    );
  });
  afterEach(() => void jest.restoreAllMocks());
  afterAll(async () => {
    database.close();
    await tools.condensedResults.close();
    await keyed.close();
  });

  async function runs(range: Partial<RerunRange> = {}): Promise<readonly LoggedRerun[]> {
    const all: LoggedRerun[] = [];
    for await (const run of rerunLog(database, tools, { fromMs: 0, ...range })) {
      all.push(run);
    }
    return all;
  }

  it('has requests of all kinds', () => {
    const { entries } = keyed.gateway;
    const reasons = entries.flatMap(({ error }) => (error ? [error.reason] : []));
    expect(reasons.toSorted()).toEqual([
      'answer_echoed',
      'invalid_api_key',
      'invalid_request',
      'key_limited',
      'upstream_cut',
    ]);
    const corrections = entries.flatMap((entry) => entry.corrections ?? []);
    expect(corrections.map(({ cause, action }) => `${cause} ${action}`)).toEqual([
      'structured_output regenerated',
      'echo dropped',
      'echo regenerated',
      'echo regenerated',
    ]);
    expect(entries.some(({ key, finishReason }) => key === 'poor' && finishReason === 'length')).toBe(true);
  });

  it('is decided as before, whatever key, earlier try or early byte was part of it', async () => {
    const all = await runs();
    expect(all.filter(({ differences, failure }) => differences.length > 0 || failure)).toEqual([]);
    expect(all.map(({ isLeftOut = false }) => isLeftOut).filter(Boolean)).toHaveLength(1);
    expect(all.map(({ id }) => id)).toEqual(keyed.gateway.entries.map(({ id }) => id).toReversed());
  });

  it('shows which requests a change of the code would decide otherwise', async () => {
    jest.spyOn(EchoStage.prototype, 'text').mockImplementation(function (this: EchoStage) {
      // No text gets through.
    });
    const changed = (await runs()).filter(({ differences }) => differences.length > 0);
    const echoed = keyed.gateway.entries.filter(({ corrections }) => corrections?.[0]?.cause === 'echo');
    expect(changed.map(({ id }) => id)).toEqual(expect.arrayContaining(echoed.map(({ id }) => id)));
    expect(changed.length).toBeLessThan(REQUESTS / 2);
    expect(changed[0]?.differences.map(({ path }) => path)).toContain('text');
  });

  it('names what could not be run', async () => {
    jest.spyOn(JSON, 'parse').mockReturnValue({ version: 0 });
    expect((await runs({ limit: 1 }))[0]?.failure).toContain('not a recording of version');
  });

  it('is run from a time on, and as many as are wanted', async () => {
    const ids = (await runs()).map(({ id }) => id);
    expect((await runs({ limit: 2 })).map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const { startedAt = 0 } = keyed.gateway.entries.at(-3) ?? {};
    expect((await runs({ fromMs: startedAt })).length).toBeGreaterThanOrEqual(3);
    expect(await runs({ fromMs: Date.now() + 60_000 })).toEqual([]);
  });
});

/** A request of each kind whose decisions hang on more than what the upstream sent. */
async function makeTraffic(keyed: KeyedGateway): Promise<void> {
  const { gateway } = keyed;
  const { stub } = gateway;
  const headers = { authorization: `Bearer ${await keyed.make('ann')}` };
  const ask = (body: object): Promise<unknown> =>
    gateway.complete({ ...ASK, ...body }, { headers }).catch(() => 'dropped');
  stub.answerWith(answer());
  await ask({ stream: true });
  stub.answerNextWith(answer({ reasoning: ['Well. '], toolCalls: CALLS }));
  await ask({ tools: [TOOL] });
  stub.answerNextWith(answer({ pieces: ['Not JSON.'] }), answer({ pieces: ['{"a": 1}'] }));
  await ask({ response_format: { type: 'json_object' } });
  stub.answerNextWith(failed(503));
  await ask({});
  stub.answerNextWith(resets(1));
  await ask({ stream: true });

  stub.answerWith(echoesUntilCorrected());
  // Its connection is dropped, and the second try corrected.
  await ask(conversation());
  await ask(conversation());
  // A heartbeat has gone out, so that it is not dropped.
  gateway.settings.HEARTBEAT_AFTER_MS = 20;
  stub.answerNextWith(async (reply) => {
    await reply.wait(200);
    await echoesUntilCorrected()(reply);
  });
  await ask({ ...conversation('Is it fast?'), stream: true });
  gateway.settings.HEARTBEAT_AFTER_MS = new Settings().HEARTBEAT_AFTER_MS;
  // Nobody would try again.
  const background = { ...RESPONSES.conversation(ECHO_SCENE), background: true };
  await gateway.complete(background, { headers }, RESPONSES.path);
  await eventually(PATIENCE_MS, () => expect(gateway.lastEntry?.outcome).toBe('ok'));

  stub.answerWith(answer({ pieces: 60 }));
  // It ends at what its key leaves.
  await keyed.complete(await keyed.make('poor', { tokensPerDay: 50 }));
  const thrifty = await keyed.make('thrifty', { tokensPerDay: 200 });
  for (const limit of [100, 150, 1000]) {
    await keyed.complete(thrifty, { max_tokens: limit });
  }

  stub.answerWith(endless(20));
  const response = await gateway.post(
    { ...ASK, stream: true, max_tokens: 5000 },
    { headers: { authorization: `Bearer ${await keyed.make('bob')}` } },
  );
  const ended = response.text().catch(() => 'cut');
  await keyed.ask('POST', '/dashboard/api/keys/bob/revoke', OPERATOR, { running: 'end' });
  await ended;
}
