import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountRegistry } from '../../src/accounts/registry/account-registry.js';
import { type RequestLogEntry } from '../../src/logs/records/request-log-entry.js';
import { ChildGateway, type ChildRig, useChildRig } from '../support/gateway/child-gateway.js';
import { readStream } from '../support/gateway/fault-rig.js';
import { ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import { answer, chunk } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { watchLoop } from '../support/watch/loop-watch.js';
import { processPace } from '../support/watch/machine-pace.js';

const STALL_MS = 5000;
/** Shorter than the stall: the upstream must not be blamed for it. */
const SILENCE_MS = 2000;
const PIECES = 140;
const INTERVAL_MS = 50;

/** Stops the whole process: to its timers and sockets that is the same as a loop that does not turn. */
async function stall(child: ChildGateway): Promise<void> {
  child.signal('SIGSTOP');
  await pause(STALL_MS);
  child.signal('SIGCONT');
}

describe('F40: an event loop that stands still for five seconds', () => {
  let rig: ChildRig;
  let child: ChildGateway;
  let answering = 0;
  let mostAnswering = 0;

  useChildRig(async (made) => {
    rig = made;
    rig.stub.answerWith(async (reply) => {
      mostAnswering = Math.max(mostAnswering, ++answering);
      for (let piece = 0; piece < PIECES && !reply.isClientGone; piece++) {
        await reply.event(chunk({ content: `${piece} ` }));
        await reply.wait(INTERVAL_MS);
      }
      answering -= 1;
      await reply.event(chunk({}, 'stop'));
      await reply.event('[DONE]');
      reply.end();
    });
    const settings = {
      LOG_LEVEL: 'warn',
      POOL_MAX_SESSIONS: '1',
      POOL_ACQUIRE_TIMEOUT_MS: String(PATIENCE_MS),
      UPSTREAM_FIRST_BYTE_MS: String(SILENCE_MS),
      UPSTREAM_IDLE_MS: String(SILENCE_MS),
    };
    child = await rig.start(settings, output());
  });

  const output = (): string => join(rig.folder, 'output');

  const ask = async (): Promise<string> => {
    const response = await fetch(`${child.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'svc-max', messages: [{ role: 'user', content: 'x' }] }),
    });
    return response.text();
  };

  it('goes on where it stood: the answer is whole, and its lease was lent to nobody else meanwhile', async () => {
    const first = ask();
    await eventually(PATIENCE_MS, () => expect(rig.stub.requests).toHaveLength(1));
    const second = ask();
    await pause(INTERVAL_MS);
    await stall(child);

    const text = Array.from({ length: PIECES }, (_, piece) => `${piece} `).join('');
    const whole = { text, finish: 'stop', isDone: true };
    expect((await Promise.all([first, second])).map(readStream)).toEqual([whole, whole]);
    expect({ prompts: rig.stub.requests.length, mostAnswering }).toEqual({ prompts: 2, mostAnswering: 1 });
    const response = await fetch(new URL('/log/json', child.baseUrl));
    const { entries } = (await response.json()) as { entries: RequestLogEntry[] };
    expect(entries.map(({ outcome, attempts = [] }) => [outcome, attempts.length])).toEqual([
      ['ok', 1],
      ['ok', 1],
    ]);
    const stalls = [...readFileSync(output(), 'utf8').matchAll(/"event":"loop_stall","stalledMs":(\d+)/g)];
    expect(stalls.length).toBeGreaterThan(0);
    expect(Math.max(...stalls.map(([, stalledMs]) => Number(stalledMs)))).toBeGreaterThan(STALL_MS / 2);
  });
});

describe('a store that another process holds', () => {
  it('stalls nothing, loses nothing, and keeps an operator waiting for as long as that lasts', async () => {
    const gateway = await StubGateway.start();
    const other = new DatabaseSync(join(gateway.settings.DATA_DIR, 'gateway.db'));
    const loop = watchLoop();
    try {
      gateway.stub.answerWith(answer({ pieces: ['well'] }));
      const registry = gateway.app.get(AccountRegistry);
      const [account] = registry.list();
      other.exec('BEGIN IMMEDIATE');
      const disabled = registry.saveEnabled(account!, false);
      expect((await gateway.complete(ASK)).status).toBe(200);
      // Several tries to store the counts of that request.
      await pause(1000);
      expect(account!.isEnabled).toBe(true);
      other.exec('ROLLBACK');
      await disabled;
      const read = () => ({ ...other.prepare('SELECT is_enabled, requests FROM accounts').get() });
      await eventually(PATIENCE_MS, () => expect(read()).toEqual({ is_enabled: 0, requests: 1 }));
      await processPace.expectWithin(loop.stop().wallMs, 200);
    } finally {
      other.close();
      await gateway.close();
    }
  });
});

describe('F40 with a chat site', () => {
  let folder: string;
  let child: ChildGateway;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stalled-loop-'));
    // Root's browser runs as another user, who must get at its profile.
    chmodSync(folder, 0o711);
    child = await ChildGateway.start({
      DATA_DIR: folder,
      PROVIDER: 'sandbox',
      RETRY_MAX_ATTEMPTS: '1',
      UPSTREAM_IDLE_MS: String(SILENCE_MS),
    });
  });
  afterEach(async () => {
    await child.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  it('goes on with the answer where it stood', async () => {
    const response = await fetch(`${child.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'svc-max',
        messages: [{ role: 'user', content: `[[chunks:${PIECES}x${INTERVAL_MS}ms]]` }],
      }),
    });
    let body = '';
    for await (const bytes of response.body ?? []) {
      const isBegun = body.includes('chunk 1');
      body += Buffer.from(bytes as Uint8Array).toString();
      if (!isBegun && body.includes('chunk 1')) {
        await stall(child);
      }
    }
    expect(readStream(body)).toMatchObject({
      text: expect.stringMatching(new RegExp(`chunk ${PIECES}$`)),
      isDone: true,
    });
  });
});
