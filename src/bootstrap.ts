import 'reflect-metadata';
import { type AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { Logger } from '@nestjs/common';
import { RunningCompletions } from './chat/running-completions.js';
import { adoptSharedSettings } from './cluster/shared-settings.js';
import { settingInfos } from './common/config/setting.decorators.js';
import { SettingsError } from './common/config/settings.errors.js';
import { Settings } from './common/config/settings.js';
import { SettingsEditor } from './common/config/settings-editor.js';
import {
  type LoadedSettings,
  loadWithOrigin,
  settingsFromEnvironment,
} from './common/config/settings-loader.js';
import { readText } from './common/config/settings-sources.js';
import { KeyRing } from './common/http/access/key-ring.js';
import { flushProcessLog } from './common/logging/process-log.js';
import { isDatabaseAway } from './common/store/database-away.js';
import { PgDatabase } from './common/store/pg-database.js';
import { openSharedSecretBox } from './common/store/shared-secret-key.js';
import { StoreError } from './common/store/store.error.js';
import { WorkerClient } from './common/threads/worker-client.js';
import { withDatabase } from './database-wait.js';
import { requireFreePort, takenPort } from './free-port.js';
import { createGateway, type Gateway } from './gateway.js';
import { greeting, type StartFindings } from './greeting.js';
import { ReadinessService } from './health/readiness.service.js';
import { KeyRegistry } from './keys/key-registry.js';
import { LogJournal } from './logs/journal/log-journal.js';
import { misspeltSettings } from './misspelt-settings.js';
import { UpstreamModels } from './models/upstream-models.js';
import { releaseStartUpMemory } from './start-up-memory.js';
import { InvalidRecipeError } from './upstream/web/recipe/invalid-recipe.error.js';

/** Exit codes: 0 after a shutdown in good order, 1 after a failure, 2 for a configuration that is not valid. */
const FAILED = 1;
const BAD_CONFIGURATION = 2;

/** Longest time for closing everything once running answers are over. Together with `STOP_AT_ONCE_MS` below 15 s. */
const CLOSE_LIMIT_MS = 10_000;

/** Longest time from the second signal, or from what takes its place, to the exit. */
const STOP_AT_ONCE_MS = 4500;

/** The greeting waits so long for the upstream to answer; requests are served meanwhile. */
const UPSTREAM_WAIT_MS = 1000;

/** Errors that only the operator can fix. The message says how; a stack would bury it. */
const CONFIGURATION_ERRORS = [SettingsError, InvalidRecipeError, StoreError];

/** Starts the gateway, which then lives as long as the process. Never rejects: a failure ends the process. */
export function bootstrap(environment: NodeJS.ProcessEnv, folder: string): Promise<void> {
  return start(environment, folder).catch(fail);
}

async function start(environment: NodeJS.ProcessEnv, folder: string): Promise<void> {
  const loaded = await loadWithOrigin(environment, folder);
  const { DATABASE_URL, PORT, HOST } = loaded.settings;
  await requireFreePort(PORT, HOST);
  const waiting =
    DATABASE_URL === undefined
      ? undefined
      : await withDatabase(loaded.settings, () => takeSharedSettings(loaded, DATABASE_URL));
  const gateway = await createGateway(settingsFromEnvironment(environment, folder));
  warnOfMisspelt(environment, folder);
  stopInGoodOrder(gateway);
  await gateway.init();
  waiting?.close();
  const settings = gateway.get(Settings);
  await gateway.listen(settings.PORT, settings.HOST);
  const { port } = gateway.getHttpServer().address() as AddressInfo;
  // The greeting is not needed: a full disk or a closed pipe must not stop the gateway.
  process.stdout.on('error', () => undefined);
  process.stdout.write(greeting(settings, port, await findingsOf(gateway)));
  releaseStartUpMemory(() => gateway.get(RunningCompletions).isIdle);
}

async function findingsOf(gateway: Gateway): Promise<StartFindings> {
  const models = gateway.get(UpstreamModels);
  await Promise.race([models.refresh(), delay(UPSTREAM_WAIT_MS)]);
  return {
    needsKey: gateway.get(KeyRing).isLocked,
    hasOperator: gateway.get(Settings).API_KEY !== '' || gateway.get(KeyRegistry).hasOperator,
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

/** Settings that take effect at the start are taken over from the other gateways before it. */
async function takeSharedSettings({ settings, origin }: LoadedSettings, url: string): Promise<void> {
  const database = await PgDatabase.open(url);
  try {
    const box = await openSharedSecretBox(database, settings.SECRET_KEY ?? '');
    await adoptSharedSettings(database, box, new SettingsEditor(settings, origin));
  } finally {
    await database.close();
  }
}

/**
 * The first signal tells balancers (`SHUTDOWN_DELAY_MS`), then lets running answers finish (`DRAIN_MS`); a second one ends
 * them and exits once that is in the log, a third one exits at once. After an uncaught error the state of the process is
 * unknown, so it shuts down without the delay, for a supervisor to restart it.
 */
function stopInGoodOrder(gateway: Gateway): void {
  let timesTold = 0;
  const stop = (exitCode: number, delayMs: number): void => {
    timesTold += 1;
    if (timesTold === 1) {
      const giveUp = (): void => {
        new Logger('main').error('the gateway could not be closed in time, and exits as it is');
        stop(FAILED, 0);
      };
      closeAfter(gateway, delayMs, giveUp).then(() => exit(timesTold === 1 ? exitCode : FAILED), fail);
    } else if (timesTold === 2) {
      void stopAtOnce(gateway);
    } else {
      exit(FAILED);
    }
  };
  const settings = gateway.get(Settings);
  process.on('SIGTERM', () => stop(0, settings.SHUTDOWN_DELAY_MS));
  process.on('SIGINT', () => stop(0, settings.SHUTDOWN_DELAY_MS));
  process.on('uncaughtException', (error) => {
    new Logger('main').error(error, 'uncaught exception');
    stop(FAILED, 0);
  });
}

/**
 * A listener that closes unannounced resets the connections that a balancer has just opened to it. What cannot be closed in
 * time, e.g. with a database or a disk that hangs, is left as it is, before a supervisor kills the process.
 */
async function closeAfter(gateway: Gateway, delayMs: number, giveUp: () => void): Promise<void> {
  gateway.get(ReadinessService).announceShutdown();
  await delay(delayMs);
  setTimeout(giveUp, gateway.get(Settings).DRAIN_MS + CLOSE_LIMIT_MS);
  await gateway.close();
}

/** Tells the callers under way, stores their log entries and exits, whatever else is still being closed. */
async function stopAtOnce(gateway: Gateway): Promise<never> {
  // What is not done by then may be a thread that hangs.
  setTimeout(killItself, STOP_AT_ONCE_MS);
  await gateway.get(RunningCompletions).endAll();
  await gateway.get(LogJournal).onApplicationShutdown();
  exit(FAILED);
}

/** Node waits for its threads at the exit, for ever if one is in a call to a disk that hangs. */
function exit(code: number): never {
  if (WorkerClient.isAnyEnding) {
    killItself();
  }
  process.exit(code);
}

function killItself(): void {
  new Logger('main').error('a thread does not end, so the process kills itself');
  flushProcessLog();
  process.kill(process.pid, 'SIGKILL');
}

function fail(error: unknown): never {
  const isKnown = CONFIGURATION_ERRORS.some((type) => error instanceof type);
  const text = error instanceof Error && !isKnown && !isSystemError(error) ? error.stack : undefined;
  const message = takenPort(error) ?? (error instanceof Error ? error.message : String(error));
  process.stderr.write(`${text ?? message}\n`);
  // A database that went away in the middle of the start is waited for by the next one.
  process.exit(isKnown && !isDatabaseAway(error) ? BAD_CONFIGURATION : FAILED);
}

/** Whether an error comes from a system call, e.g. for a port in use; its message needs no stack. */
function isSystemError(error: Error): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined;
}
