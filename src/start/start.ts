import 'reflect-metadata';
import { type AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { Logger } from '@nestjs/common';
import { pino } from 'pino';
import { RunningCompletions } from '../chat/running-completions.js';
import { adoptSharedSettings } from '../cluster/shared-settings.js';
import { settingInfos } from '../common/config/setting.decorators.js';
import { Settings } from '../common/config/settings.js';
import { SettingsEditor } from '../common/config/settings-editor.js';
import {
  type LoadedSettings,
  loadWithOrigin,
  settingsFromEnvironment,
} from '../common/config/settings-loader.js';
import { readText } from '../common/config/settings-sources.js';
import { KeyRing } from '../common/http/access/key-ring.js';
import { processLogOf } from '../common/logging/process-log.js';
import { PgDatabase } from '../common/store/pg-database.js';
import { openSharedSecretBox } from '../common/store/shared-secret-key.js';
import { Clock } from '../common/time/clock.js';
import { settledWithin } from '../common/time/settled-within.js';
import { createGateway, type Gateway } from '../gateway.js';
import { KeyRegistry } from '../keys/key-registry.js';
import { isOperable } from '../keys/operator-rule.js';
import { UpstreamModels } from '../models/upstream-models.js';
import { DatabaseWait } from './database-wait.js';
import { limitEngineMemory } from './engine-memory.js';
import { requireFreePort } from './free-port.js';
import { greeting, greetingRecord, type StartFindings } from './greeting.js';
import { misspeltSettings } from './misspelt-settings.js';
import { shutDownGracefully } from './shutdown.js';
import { exitWithFailure } from './start-failure.js';
import { leaveSignals } from './stop-signals.js';
import { releaseUnusedMemory } from './unused-memory.js';
import { unusedProxy } from './unused-proxy.js';

/** The greeting waits so long for the upstream to answer; requests are served meanwhile. */
const UPSTREAM_WAIT_MS = 1000;

/** Starts the gateway, which then lives as long as the process. Never rejects: a failure ends the process. */
export function start(environment: NodeJS.ProcessEnv, folder: string): Promise<void> {
  return startGateway(environment, folder).catch(exitWithFailure);
}

async function startGateway(environment: NodeJS.ProcessEnv, folder: string): Promise<void> {
  const loaded = await loadWithOrigin(environment, folder);
  const { DATABASE_URL, PORT, HOST } = loaded.settings;
  await requireFreePort(PORT, HOST);
  const wait =
    DATABASE_URL === undefined
      ? undefined
      : await DatabaseWait.begin(loaded.settings, () => takeSharedSettings(loaded, DATABASE_URL));
  const gateway = await createGateway(settingsFromEnvironment(environment, folder));
  warnOfMisspelt(environment, folder);
  tellLeftOut(loaded);
  const warning = unusedProxy(loaded.settings);
  if (warning !== undefined) {
    new Logger('Start').warn({ event: 'proxy_unused' }, warning);
  }
  leaveSignals();
  const begun = gateway.init();
  const isStopping = shutDownGracefully(gateway, begun);
  await begun;
  await wait?.close();
  if (isStopping()) {
    return;
  }
  const settings = gateway.get(Settings);
  await gateway.listen(settings.PORT, settings.HOST);
  const { port } = gateway.getHttpServer().address() as AddressInfo;
  // The greeting is not needed: a full disk or a closed pipe must not stop the gateway.
  process.stdout.on('error', () => undefined);
  greet(settings, port, await findingsOf(gateway));
  limitEngineMemory();
  releaseUnusedMemory(gateway.get(RunningCompletions));
}

/** Whatever the level of the log: it says where the gateway is. In JSON only where that is asked for: people read pipes, too. */
function greet(settings: Settings, port: number, findings: StartFindings): void {
  if (settings.LOG_FORMAT !== 'json') {
    process.stdout.write(greeting(settings, port, findings));
    return;
  }
  const [options, destination] = processLogOf(settings);
  const log = pino({ ...options, level: 'info' }, destination).child({ context: 'Start' });
  log.info(...greetingRecord(settings, port, findings));
}

async function findingsOf(gateway: Gateway): Promise<StartFindings> {
  const models = gateway.get(UpstreamModels);
  await settledWithin(UPSTREAM_WAIT_MS, models.refresh());
  return {
    needsKey: gateway.get(KeyRing).isLocked,
    isOperable: isOperable(gateway.get(Settings), gateway.get(KeyRegistry).list(), gateway.get(Clock).now()),
    upstreamSilence: models.silence,
  };
}

/** A misspelt name is no error, since it may belong to another program. */
function warnOfMisspelt(environment: NodeJS.ProcessEnv, folder: string): void {
  const dotEnv = parseEnv(readText(resolve(folder, '.env'), '.env') ?? '');
  const settings = settingInfos().map(({ name }) => name);
  for (const { name, meant } of misspeltSettings(Object.keys({ ...dotEnv, ...environment }), settings)) {
    new Logger('Start').warn(
      { event: 'unknown_setting', name, meant },
      `${name} is not a setting: is ${meant} meant?`,
    );
  }
}

function tellLeftOut({ leftOut = [] }: LoadedSettings): void {
  if (leftOut.length > 0) {
    new Logger('Start').error({ leftOut }, 'settings in the file cannot be used here, and were left out');
  }
}

/** Settings that take effect at the start are taken over from the other gateways before it. */
async function takeSharedSettings({ settings, origin }: LoadedSettings, url: string): Promise<void> {
  const database = await PgDatabase.open(url);
  try {
    const box = await openSharedSecretBox(database, settings);
    await adoptSharedSettings(database, box, new SettingsEditor(settings, origin));
  } finally {
    await database.close();
  }
}
