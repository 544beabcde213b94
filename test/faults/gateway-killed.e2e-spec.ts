/** @jest-environment ./test/support/gateway/process-environment.mjs */
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BrowserGateway, gone, report } from '../support/browser/browser-gateway.js';
import { childBrowsers } from '../support/browser/child-browsers.js';
import { ChildGateway } from '../support/gateway/child-gateway.js';
import { StreamCaller } from '../support/gateway/stream-caller.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { browserPace } from '../support/watch/machine-pace.js';

describe('a gateway that is killed with browsers open', () => {
  let folder: string;
  let child: ChildGateway;
  let rig: BrowserGateway | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gateway-killed-'));
    // One attempt: a limit that the prompt itself asks for then hits one account only.
    child = await ChildGateway.start({ DATA_DIR: folder, RETRY_MAX_ATTEMPTS: '1' });
  });
  afterEach(async () => {
    await child.kill();
    await rig?.close();
    rig = undefined;
    await rm(folder, { recursive: true, force: true });
  });

  const ask = (prompt: string): StreamCaller => new StreamCaller(child.baseUrl, prompt);

  /** Waits until every account is logged in. */
  const loggedIn = (): Promise<void> =>
    eventually(PATIENCE_MS, async () => {
      const sessions = (await child.accounts()).map((account) => account.sessions);
      expect(sessions).not.toContain(0);
    });

  /** Requests of each account, as the store has them. */
  function storedRequests(): unknown[] {
    const store = new DatabaseSync(join(folder, 'gateway.db'), { readOnly: true });
    try {
      return store.prepare('SELECT name, requests FROM accounts ORDER BY name').all();
    } finally {
      store.close();
    }
  }

  it('F10: leaves no browser behind, and comes back as it was', async () => {
    await loggedIn();
    expect((await ask('[[status:429:retry-after=600]]').ended).status).toBe(429);
    const streams = [ask('[[chunks:5000x10ms]]'), ask('[[chunks:5000x10ms]]')];
    await Promise.all(streams.map(({ began }) => began));
    const before = await child.accounts();
    // Counts are written a moment later, together.
    const counted = before.map(({ name, requests }) => ({ name, requests }));
    await eventually(PATIENCE_MS, () => expect(storedRequests()).toMatchObject(counted));
    const { processes, profiles } = await childBrowsers(child.pid);
    expect(processes.filter(({ type }) => type === 'renderer').length).toBeGreaterThan(2);

    const killedAt = performance.now();
    await child.kill();
    const goneMs = await gone(
      processes.map(({ pid }) => pid),
      5000,
    );
    await browserPace.expectWithin(goneMs, 1000);
    const cut = await Promise.all(streams.map(({ ended }) => ended));
    for (const { status, isWhole, text } of cut) {
      expect({ status, isWhole }).toEqual({ status: 200, isWhole: false });
      expect(text).not.toMatch(/\[DONE\]|"error"|"finish_reason":"/);
    }
    const cutMs = Math.max(...cut.map(({ endedAt }) => endedAt)) - killedAt;

    const startedAt = performance.now();
    rig = await BrowserGateway.start({ DATA_DIR: folder });
    await rig.ready();
    const readyMs = performance.now() - startedAt;
    await browserPace.expectWithin(readyMs, 5000);
    // The site saw no login form: the saved logins were good.
    expect([...rig.site.logins.values()]).toEqual(before.map(() => ({ ok: 0, wrong: 0, locked: 0 })));
    for (const profile of profiles) {
      await expect(access(profile)).rejects.toMatchObject({ code: 'ENOENT' });
    }
    expect(rig.registry.list().map((account) => account.stateAt(performance.now()))).toEqual(
      before.map(({ state }) => state),
    );
    for (const { name, cooldown, requests } of before) {
      const account = rig.registry.list().find((one) => one.name === name);
      const remainingMs = account?.cooldown.remainingMs(performance.now()) ?? 0;
      expect(account?.requests).toBe(requests);
      const until = Date.now() + remainingMs;
      await browserPace.expectWithin(Math.abs(until - (cooldown?.until ?? until)), 100);
    }
    const log = await fetch(`${rig.gateway.origin}/log/json?status=crashed`);
    const { entries } = (await log.json()) as { entries: { id: string }[] };
    expect(new Set(entries.map(({ id }) => id))).toEqual(
      new Set(cut.map(({ headers }) => headers.get('x-request-id'))),
    );
    const usable = before.filter(({ state }) => state === 'ready').map(({ name }) => name);
    expect(usable).toHaveLength(2);
    await rig.scenario(async () => {
      const reusable = await rig!.reusable(usable, startedAt);
      report('F10', {
        'connections cut after': cutMs,
        'browsers gone after': goneMs,
        'accounts ready after a start of': readyMs,
        'both answered after': reusable,
      });
    });
  });
});
