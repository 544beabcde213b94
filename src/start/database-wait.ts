import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { type Settings } from '../common/config/settings.js';
import { processLogOf } from '../common/logging/process-log.js';
import { isDatabaseAway } from '../common/store/database-away.js';
import { STOP_SIGNALS } from './stop-signals.js';
import { WaitingServer } from './waiting-server.js';

const FIRST_DELAY_MS = 100;
/** A gateway is to serve within 2 s of the database's return. A refused connection costs next to nothing. */
const MAX_DELAY_MS = 1000;

/** Nothing has begun that would have to be finished. */
const end = (): never => process.exit(0);

/**
 * Does a piece of work that needs the shared database, again and again for as long as the database is away. From the first
 * failure on, a server answers in the gateway's place, and a signal ends the process.
 * @returns that server, if there is one, for the caller to close
 * @throws Error of the work if it does not pass by itself, and of `WaitingServer.listen`
 */
export async function withDatabase(
  settings: Settings,
  work: () => Promise<void>,
): Promise<WaitingServer | undefined> {
  let error = await failureOf(work);
  if (error === undefined) {
    return undefined;
  }
  // As the first process of a container, it would not be ended without a listener.
  STOP_SIGNALS.forEach((signal) => process.on(signal, end));
  const server = await WaitingServer.listen(settings);
  const log = pino(...processLogOf(settings)).child({ context: 'Start' });
  log.warn({ event: 'database_away', port: server.port }, `${error.message}; not ready until it can`);
  for (let delayMs = FIRST_DELAY_MS; error; delayMs = Math.min(MAX_DELAY_MS, 2 * delayMs)) {
    // Nodes that wait together do not all ask at once.
    await pause(delayMs - randomInt(delayMs / 2));
    error = await failureOf(work);
  }
  log.info({ event: 'database_back' }, 'the database is there; the start goes on');
  STOP_SIGNALS.forEach((signal) => process.off(signal, end));
  return server;
}

/** @returns why it could not be done; undefined if it was */
async function failureOf(work: () => Promise<void>): Promise<Error | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof Error && isDatabaseAway(error)) {
      return error;
    }
    throw error;
  }
}
