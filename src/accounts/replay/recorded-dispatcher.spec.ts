import { expect, it } from '@jest/globals';
import { lastValueFrom } from 'rxjs';
import { REQUEST } from '../../../test/support/gateway/accounts-rig.js';
import { ACCEPTED } from '../../../test/support/upstream/scripted-driver.js';
import { Settings } from '../../common/config/settings.js';
import { FlowValve } from '../../upstream/flow-gate.js';
import { UnavailableError } from '../../upstream/upstream.errors.js';
import { createDispatchReport } from '../dispatch/dispatch-report.js';
import { RecordedDispatcher } from './recorded-dispatcher.js';

it('reports attempts as the dispatch that was recorded did', async () => {
  const attempts = [
    { batches: [], error: new UnavailableError('launch_failed', 'No browser.') },
    { account: 'a', batches: [ACCEPTED], error: new UnavailableError('stream_reset', 'Cut.') },
  ];
  const report = createDispatchReport();
  const answer$ = new RecordedDispatcher([{ attempts }], new Settings()).dispatch(REQUEST, {
    signal: new AbortController().signal,
    flow: new FlowValve(),
    report,
  });
  await expect(lastValueFrom(answer$)).rejects.toMatchObject({ reason: 'upstream_cut' });
  expect(report).toEqual({
    account: 'a',
    acceptedMs: 0,
    queuedMs: 0,
    attempts: [
      { outcome: 'launch_failed', detail: 'No browser.', startedMs: 0, durationMs: 0 },
      { account: 'a', outcome: 'stream_reset', detail: 'Cut.', startedMs: 0, durationMs: 0 },
    ],
  });
});
