import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Settings } from '../../../src/common/config/settings.js';
import { fixedOrigin, settingsFromCode } from '../../../src/common/config/settings-loader.js';
import { ClientFiles } from '../../../src/dashboard/pages/client-files.js';
import { createGateway, type Gateway } from '../../../src/gateway.js';
import { LogsService } from '../../../src/logs/logs.service.js';
import { LENIENT_HTTP_LIMITS } from '../watch/lenient-limits.js';
import { LogEntries } from './log-entries.js';

export interface TestGateway {
  readonly app: Gateway;
  /** E.g. `http://127.0.0.1:40123`. */
  readonly origin: string;
  /** The base URL as SDKs want it: the origin and `/v1`. */
  readonly baseUrl: string;
  readonly settings: Settings;
  /** The log of its requests. */
  readonly entries: LogEntries;
  /** Stops the gateway and removes its data. */
  close(): Promise<void>;
}

/**
 * Boots the whole gateway as `start/start.ts` does, on a free port and with a data folder of its own. The overrides count as
 * set in the environment; other settings can be changed, in a `config.json` of the test's own.
 */
export async function startGateway(
  overrides: Partial<Settings> = {},
  limits = LENIENT_HTTP_LIMITS,
): Promise<TestGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-test-'));
  const settings = Object.assign(new Settings(), {
    PORT: 0,
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    BROWSER_EXECUTABLE_PATH: process.env.BROWSER_EXECUTABLE_PATH,
    ...overrides,
  } satisfies Partial<Settings>);
  try {
    const origin = fixedOrigin(settings, join(folder, 'config.json'));
    const app = await createGateway(settingsFromCode(settings, origin), limits);
    // As written where it is empty, e.g. to read the page's errors.
    app.get(ClientFiles).built = process.env.BUILT_CLIENT || undefined;
    const entries = new LogEntries(app.get(LogsService));
    await app.listen(settings.PORT, settings.HOST);
    const { port } = app.getHttpServer().address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    return {
      app,
      origin: url,
      baseUrl: `${url}/v1`,
      settings,
      entries,
      close: async () => {
        await app.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
