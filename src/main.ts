import 'reflect-metadata';
import { type AddressInfo } from 'node:net';
import { loadSettings, SettingsError } from './common/config/settings.loader.js';
import { type Settings } from './common/config/settings.js';
import { createGateway, type Gateway } from './gateway.js';
import { greeting } from './greeting.js';

/** Exit codes: 0 after a shutdown in good order, 1 after a failure, 2 for a configuration that is not valid. */
const FAILED = 1;
const BAD_CONFIGURATION = 2;

async function main(): Promise<void> {
  const settings = readSettings();
  const gateway = await createGateway(settings);
  stopOnSignals(gateway);
  await gateway.listen(settings.PORT, settings.HOST);
  const { port } = gateway.getHttpServer().address() as AddressInfo;
  process.stdout.write(greeting(settings, port));
}

function readSettings(): Settings {
  try {
    return loadSettings(process.env, process.cwd());
  } catch (error) {
    if (error instanceof SettingsError) {
      process.stderr.write(`${error.message}\n`);
      process.exit(BAD_CONFIGURATION);
    }
    throw error;
  }
}

/** The first signal lets running answers finish (`DRAIN_MS`), a second one exits now. */
function stopOnSignals(gateway: Gateway): void {
  let stopping = false;
  const stop = (): void => {
    if (stopping) {
      process.exit(FAILED);
    }
    stopping = true;
    gateway.close().then(() => process.exit(0), fail);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function fail(error: unknown): never {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(FAILED);
}

main().catch(fail);
