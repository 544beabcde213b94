import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { firstValueFrom } from 'rxjs';
import { ControllerApp } from '../../test/support/gateway/controller-app.js';
import { UpstreamStatus } from '../accounts/dispatch/upstream-status.js';
import { type Account } from '../accounts/registry/account.js';
import { AccountRegistry } from '../accounts/registry/account-registry.js';
import { Clock } from '../common/time/clock.js';
import { LogsService } from '../logs/logs.service.js';
import { RequestLog } from '../logs/request-log.js';
import { UpstreamModels } from '../models/upstream-models.js';
import { ALL_WELL, type WatchedState } from './alert-state.js';
import { AlertsModule } from './alerts.module.js';
import { GatewayWatch } from './gateway-watch.js';

describe('GatewayWatch', () => {
  let app: ControllerApp;
  let watch: GatewayWatch;

  beforeAll(async () => {
    app = await ControllerApp.start(AlertsModule);
    await app.logReady();
    watch = app.app.get(GatewayWatch);
  });
  afterAll(() => app.close());
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const out = (readiness: string, detail?: string): WatchedState => ({ ...ALL_WELL, readiness, detail });
  const upstreamIs = (state: Partial<UpstreamStatus>): void =>
    Object.entries(state).forEach(([name, value]) =>
      jest.spyOn(app.app.get(UpstreamStatus), name as 'hasServed', 'get').mockReturnValue(value as boolean),
    );
  const modelsAre = (silentForMs: number | undefined, isUnknown: boolean): void => {
    jest.spyOn(app.app.get(UpstreamModels), 'silentForMs', 'get').mockReturnValue(silentForMs);
    jest.spyOn(app.app.get(UpstreamModels), 'isUnknown', 'get').mockReturnValue(isUnknown);
  };

  it('finds an upstream down that has kept failing for a minute', () => {
    upstreamIs({ failedForMs: 59_999 });
    expect(watch.look(ALL_WELL)).toEqual(ALL_WELL);
    upstreamIs({ failedForMs: 60_000 });
    expect(watch.look(ALL_WELL)).toEqual(out('upstream_down', 'the upstream keeps failing'));
    upstreamIs({ failsAtOneConversation: true });
    expect(watch.look(ALL_WELL)).toEqual(
      out('upstream_down', 'the upstream keeps failing at one conversation, and no other has asked'),
    );
  });

  it('takes an upstream that was reported down for down until it has answered', () => {
    upstreamIs({ failedForMs: undefined, hasServed: false });
    expect(watch.look(out('upstream_down'))).toEqual(out('upstream_down', 'the upstream keeps failing'));
    upstreamIs({ hasServed: true });
    expect(watch.look(out('upstream_down'))).toEqual(ALL_WELL);
  });

  it('finds an upstream unreachable whose list of models stays away for a minute', () => {
    modelsAre(59_999, true);
    expect(watch.look(ALL_WELL)).toEqual(ALL_WELL);
    modelsAre(60_000, true);
    const unreachable = out('upstream_unreachable', 'the upstream cannot be reached');
    expect(watch.look(ALL_WELL)).toEqual(unreachable);
    upstreamIs({ hasServed: true });
    expect(watch.look(ALL_WELL)).toEqual(ALL_WELL);
  });

  it('takes an upstream that was reported unreachable for unreachable until its list is read', () => {
    const unreachable = out('upstream_unreachable', 'the upstream cannot be reached');
    modelsAre(undefined, true);
    expect(watch.look(unreachable)).toEqual(unreachable);
    modelsAre(0, false);
    expect(watch.look(unreachable)).toEqual(unreachable);
    modelsAre(undefined, false);
    expect(watch.look(unreachable)).toEqual(ALL_WELL);
  });

  it('takes a gateway that was reported without an account for one until a login has worked', () => {
    const accounts = app.app.get(AccountRegistry).list();
    const are = (state: Pick<Account, 'automaticLogins' | 'isProven'>): void =>
      accounts.forEach((account) => Object.assign(account, state));
    const before = accounts.map(({ automaticLogins, isProven }) => ({ automaticLogins, isProven }));
    are({ automaticLogins: 1, isProven: false });
    expect([watch.look(out('no_account')), watch.look(ALL_WELL)]).toEqual([out('no_account'), ALL_WELL]);
    are({ automaticLogins: 1, isProven: true });
    expect(watch.look(out('no_account'))).toEqual(ALL_WELL);
    accounts.forEach((account, at) => Object.assign(account, before[at]));
  });

  it('finds accounts limited that have refused every request for ten minutes, until one is answered', async () => {
    const logs = app.app.get(LogsService);
    const now = jest.spyOn(app.app.get(Clock), 'monotonic');
    const end = async (outcome: 'ok' | 'rate_limited', at: number): Promise<void> => {
      const isCounted = firstValueFrom(logs.endedCompletions$);
      const log = app.app
        .get(RequestLog)
        .open({ id: `at_${at}`, method: 'POST', path: '/', operation: 'completion' });
      now.mockReturnValue(at);
      const limited = { error: { code: 'rate_limit', reason: 'rate_limited' } } as const;
      log.finish(outcome, outcome === 'ok' ? { firstAnswerMs: 1 } : limited);
      logs.settle();
      await isCounted;
    };
    const limited = out(
      'rate_limited',
      'no request has been served for ten minutes, since the accounts are at their limits',
    );
    expect(watch.look(limited)).toEqual(limited);
    await end('rate_limited', 1);
    await end('rate_limited', 600_000);
    expect(watch.look(ALL_WELL)).toEqual(ALL_WELL);
    await end('rate_limited', 600_001);
    expect(watch.look(ALL_WELL)).toEqual(limited);
    await end('ok', 700_001);
    expect(watch.look(limited)).toEqual(ALL_WELL);
  });
});
