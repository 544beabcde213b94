import { describe, expect, it } from '@jest/globals';
import { type RequestLogEntry, type TokenCounts } from '../../src/logs/records/request-log-entry.js';
import { type UsageRow } from '../../src/logs/records/usage.js';
import { type ChildGateway, type ChildRig, useChildRig } from '../support/gateway/child-gateway.js';
import { answer } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const OPERATOR = 'key-of-the-operator-9d27';
const KEYS = { ann: 'key-of-ann-57c1', bob: 'key-of-bob-1f0e' } as const;
const USAGE = { prompt_tokens: 7, completion_tokens: 11, total_tokens: 18 };
const ROUNDS = 4;
const BEFORE_THE_KILL = 40;

describe('a gateway that is killed while keys are used', () => {
  let rig: ChildRig;
  let child: ChildGateway;

  useChildRig((made) => {
    rig = made;
    rig.stub.answerWith(answer({ pieces: 3, intervalMs: 2, usage: USAGE }));
  });

  const start = async (): Promise<void> => {
    child = await rig.start({ API_KEY: OPERATOR, API_KEYS: `ann:${KEYS.ann},bob:${KEYS.bob}` });
  };
  const ask = async (key: string): Promise<void> => {
    const response = await fetch(`${child.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: 'svc-max', messages: [{ role: 'user', content: 'hi' }] }),
    });
    await response.text();
  };
  const read = async <T>(path: string): Promise<T> => {
    const response = await fetch(new URL(path, child.baseUrl), {
      headers: { authorization: `Bearer ${OPERATOR}` },
    });
    return (await response.json()) as T;
  };
  const rowsOf = async (key: string): Promise<readonly UsageRow[]> =>
    (await read<{ rows: UsageRow[] }>(`/dashboard/api/usage?days=2&key=${key}`)).rows;
  const entriesOf = async (key: string): Promise<readonly RequestLogEntry[]> => {
    const all: RequestLogEntry[] = [];
    for (let next: string | null = ''; next !== null;) {
      const before: string = next === '' ? '' : `&before=${next}`;
      const page: { entries: RequestLogEntry[]; next: string | null } = await read(
        `/log/json?limit=500&key=${key}${before}`,
      );
      all.push(...page.entries);
      next = page.next;
    }
    return all.filter(({ path }) => path === '/v1/chat/completions');
  };

  it('has counted for each key exactly what the log holds of it', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await start();
      let answered = 0;
      const callers = Object.values(KEYS).map(async (key) => {
        try {
          for (;;) {
            await ask(key);
            answered += 1;
          }
        } catch {
          // The gateway is gone.
        }
      });
      await eventually(PATIENCE_MS, () => expect(answered).toBeGreaterThan(BEFORE_THE_KILL));
      await child.kill();
      await Promise.all(callers);
    }
    await start();
    for (const key of Object.keys(KEYS)) {
      const entries = await entriesOf(key);
      const whole = entries.filter(({ outcome }) => outcome === 'ok').length;
      const logged = (figure: keyof TokenCounts): number =>
        entries.reduce((total, { usage }) => total + (usage?.[figure] ?? 0), 0);
      const rows = await rowsOf(key);
      const sum = (figure: keyof UsageRow): number =>
        rows.reduce((total, row) => total + Number(row[figure]), 0);
      expect(whole).toBeGreaterThan(ROUNDS);
      // The gateway counts itself where the upstream's count comes late, as it may on a busy machine.
      const told = entries.filter(({ usage }) => usage?.promptTokens === USAGE.prompt_tokens);
      expect(told.length).toBeGreaterThan(whole / 2);
      expect(entries.some(({ outcome }) => outcome === 'pending')).toBe(false);
      expect({
        requests: sum('requests'),
        errors: sum('errors'),
        promptTokens: sum('promptTokens'),
        completionTokens: sum('completionTokens'),
      }).toEqual({
        requests: entries.length,
        errors: entries.length - whole,
        promptTokens: logged('promptTokens'),
        completionTokens: logged('completionTokens'),
      });
    }
  });
});
