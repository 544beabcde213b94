import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { lastValueFrom, toArray } from 'rxjs';
import { REQUEST, textOf } from '../../test/support/gateway/accounts-rig.js';
import { ScriptedDriver } from '../../test/support/upstream/scripted-driver.js';
import { eventually, PATIENCE_MS } from '../../test/support/watch/eventually.js';
import { Settings } from '../common/config/settings.js';
import { SettingsModule } from '../common/config/settings.module.js';
import { SettingsEditor } from '../common/config/settings-editor.js';
import { Database } from '../common/store/database.js';
import { TimeModule } from '../common/time/time.module.js';
import { FlowValve } from '../upstream/flow-gate.js';
import { UpstreamDriver } from '../upstream/upstream-driver.js';
import { AccountsModule } from './accounts.module.js';
import { createDispatchReport } from './dispatch/dispatch-report.js';
import { Dispatcher } from './dispatch/dispatcher.js';
import { SessionPool } from './pool/session-pool.js';
import { AccountRegistry } from './registry/account-registry.js';

/** Records when it is closed, and how many sessions were open then. */
class ObservedDriver extends ScriptedDriver {
  readonly order: string[] = [];

  override close(): Promise<void> {
    this.order.push(`driver closed with ${this.sessions.size} sessions`);
    return super.close();
  }
}

let folder: string;
let driver: ObservedDriver;
let module: TestingModule;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'accounts-'));
  driver = new ObservedDriver([
    { name: 'a', credentials: {} },
    { name: 'b', credentials: {} },
  ]);
  const settings = Object.assign(new Settings(), { DATA_DIR: folder });
  Logger.overrideLogger(false);
  module = await Test.createTestingModule({
    imports: [SettingsModule.forRoot(settings), TimeModule, AccountsModule],
  })
    .overrideProvider(UpstreamDriver)
    .useValue(driver)
    .compile();
  await module.init();
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('AccountsModule', () => {
  it('applies limits of the pool when the settings change', async () => {
    const pool = module.get(SessionPool);
    await eventually(PATIENCE_MS, () => expect(pool.stats().idle).toBe(2));
    Object.assign(module.get(Settings), { POOL_MAX_SESSIONS: 1 });
    module.get(SettingsEditor).changes$.next();
    expect(pool.stats().sessions).toBe(1);
    await module.close();
  });

  it('logs all accounts in when the application starts, answers, and ends in order', async () => {
    expect(driver.opened).toEqual(['a', 'b']);
    const answer$ = module.get(Dispatcher).dispatch(REQUEST, {
      signal: new AbortController().signal,
      flow: new FlowValve(),
      report: createDispatchReport(),
    });
    expect(textOf(await lastValueFrom(answer$.pipe(toArray())))).toBe('hi');
    expect(module.get(SessionPool).stats()).toMatchObject({ leases: 0, waiting: 0 });

    const requests = module
      .get(AccountRegistry)
      .list()
      .map((account) => account.requests);
    expect(requests).toEqual([1, 0]);
    await module.close();
    expect(driver.order).toEqual(['driver closed with 0 sessions']);
    expect(() => module.get(Database).prepare('SELECT 1')).toThrow('not open');
  });
});
