import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { eventually, PATIENCE_MS } from '../../test/support/watch/eventually.js';
import { Settings } from '../common/config/settings.js';
import { SettingsModule } from '../common/config/settings.module.js';
import { TimeModule } from '../common/time/time.module.js';
import { LogsModule } from './logs.module.js';
import { LogsService } from './logs.service.js';
import { type RequestDetails } from './records/request-log-entry.js';
import { RequestLog } from './request-log.js';

const FAILURE: RequestDetails = {
  status: 500,
  error: {
    code: 'internal_error',
    reason: 'upstream_error',
    message: 'The upstream failed.',
    cause: "Invalid: 'the plan'.",
  },
  attempts: [{ startedMs: 0, durationMs: 1, outcome: 'upstream_error', detail: "Invalid: 'the plan'." }],
};

describe('LogsService', () => {
  let folder: string;
  let module: TestingModule;
  let settings: Settings;
  let logs: LogsService;
  const lines = jest.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'logs-'));
    settings = Object.assign(new Settings(), { DATA_DIR: folder });
    module = await Test.createTestingModule({
      imports: [SettingsModule.forRoot(settings), TimeModule, LogsModule],
    }).compile();
    await module.init();
    logs = module.get(LogsService);
    // Until the thread that writes has made the file, reads fail.
    await eventually(PATIENCE_MS, () => logs.find('none'));
  });
  afterAll(async () => {
    lines.mockRestore();
    await module.close();
    await rm(folder, { recursive: true });
  });

  /** The entry of a failed request, once as it is stored and once as it is published, and its line in the process log. */
  async function fail(id: string, details: RequestDetails): Promise<readonly string[]> {
    lines.mockClear();
    const published: string[] = [];
    const following = logs.changes$.subscribe((change) => published.push(change.text(true)));
    const log = module.get(RequestLog).open({ id, method: 'POST', path: '/v1/chat/completions' });
    log.add(details);
    log.finish('upstream_error');
    const found = await logs.find(id);
    following.unsubscribe();
    return [JSON.stringify(found?.entry), published.at(-1) ?? '', JSON.stringify(lines.mock.calls)];
  }

  it('says why a request failed', async () => {
    for (const text of await fail('req_a', FAILURE)) {
      expect(text).toContain('The upstream failed.');
      expect(text).toContain('the plan');
    }
  });

  it('keeps no endless text, wherever one comes from', async () => {
    const long = 'x'.repeat(5_000_000);
    const texts = await fail('req_b', {
      ...FAILURE,
      error: { ...FAILURE.error!, message: long, cause: long },
      attempts: [{ startedMs: 0, durationMs: 1, outcome: 'upstream_error', detail: long }],
      corrections: [{ atMs: 1, cause: 'structured_output', action: 'failed', detail: long }],
    });
    expect(texts.map(({ length }) => length < 6000)).toEqual([true, true, true]);
  });

  it('has with LOG_CONTENT=none no words of an upstream, and none at all in the process log', async () => {
    settings.LOG_CONTENT = 'none';
    try {
      const [stored, published, line] = await fail('req_c', FAILURE);
      for (const text of [stored, published, line]) {
        expect(text).toContain('"reason":"upstream_error"');
        expect(text).not.toContain('the plan');
      }
      expect(stored).toContain('The upstream failed.');
      expect(line).not.toContain('The upstream failed.');
    } finally {
      settings.LOG_CONTENT = 'preview';
    }
  });
});
