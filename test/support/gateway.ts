import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Settings } from '../../src/common/config/settings.js';
import { type HttpLimits } from '../../src/common/http/gateway-http.adapter.js';
import { createGateway, type Gateway } from '../../src/gateway.js';

export interface TestGateway {
  readonly app: Gateway;
  /** E.g. `http://127.0.0.1:40123`. */
  readonly origin: string;
  /** What SDKs call the base URL: the origin and `/v1`. */
  readonly baseUrl: string;
  readonly settings: Settings;
  /** Stops the gateway and removes its data. */
  close(): Promise<void>;
}

/** Boots the whole gateway as `main.ts` does, on a free port and with a data folder of its own. */
export async function startGateway(
  overrides: Partial<Settings> = {},
  limits?: HttpLimits,
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
    const app = await createGateway(settings, limits);
    await app.listen(settings.PORT, settings.HOST);
    const { port } = app.getHttpServer().address() as AddressInfo;
    const origin = `http://127.0.0.1:${port}`;
    return {
      app,
      origin,
      baseUrl: `${origin}/v1`,
      settings,
      close: async () => {
        await app.close();
        await remove(folder, overrides.DATA_DIR);
      },
    };
  } catch (error) {
    await remove(folder, overrides.DATA_DIR);
    throw error;
  }
}

/** A folder given by the test is the test's to remove. */
async function remove(folder: string, given: string | undefined): Promise<void> {
  if (given === undefined) {
    await rm(folder, { recursive: true, force: true });
  }
}
