import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountsRig } from '../../../../test/support/gateway/accounts-rig.js';
import { ScriptedDriver } from '../../../../test/support/upstream/scripted-driver.js';

const SEEDS = ['cooling', 'walled', 'off', 'busy'].map((name) => ({
  name,
  credentials: { key: `key-${name}` },
}));

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'accounts-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the writer until it has made a number of changes, kills it, and returns the changes that it reported. */
async function writeUntilKilled(changes: number): Promise<{ count: number; id: string; at: number }[]> {
  const writer = spawn(
    process.execPath,
    [
      '--import',
      './test/support/gateway/run-typescript.mjs',
      './test/support/gateway/account-writer.ts',
      folder,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = once(writer, 'exit');
  const reported: { count: number; id: string; at: number }[] = [];
  for await (const line of createInterface({ input: writer.stdout })) {
    const [count, id = '', at] = line.split(' ');
    if (count !== 'states') {
      reported.push({ count: Number(count), id, at: Number(at) });
    }
    if (reported.length === changes) {
      writer.kill('SIGKILL');
    }
  }
  expect(await exited).toEqual([null, 'SIGKILL']);
  return reported;
}

describe('AccountStore', () => {
  it('survives `kill -9` in the middle of its writes with every change that was reported', async () => {
    const reported = await writeUntilKilled(400);
    const rig = await AccountsRig.start(new ScriptedDriver(SEEDS), { DATA_DIR: folder });
    const now = rig.clock.monotonic();
    expect(SEEDS.map(({ name }) => rig.account(name).stateAt(now))).toEqual([
      'cooldown',
      'login_required',
      'disabled',
      'ready',
    ]);
    const remainingMs = rig.account('cooling').cooldown.remainingMs(now);
    expect(remainingMs).toBeGreaterThan(3_500_000);
    expect(remainingMs).toBeLessThanOrEqual(3_600_000);
    expect(await rig.registry.toUpstream(rig.account('busy')).loadState()).toBe('cookies');
    for (const { count, id } of reported) {
      expect(rig.registry.get(id).name).toBe(`added-${count}`);
    }
    // Counters may lag by the 200 ms in which they are collected.
    const killedAt = reported.at(-1)?.at ?? 0;
    const certain = reported.filter(({ at }) => at < killedAt - 250).at(-1)?.count ?? 0;
    expect(certain).toBeGreaterThan(0);
    expect(rig.account('busy').requests).toBeGreaterThanOrEqual(certain);
    await rig.close({ keepFolder: true });
  });
});
