import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import { type Settings } from '../common/config/settings.js';
import { processLogOf } from '../common/logging/process-log.js';
import { isDatabaseAway } from '../common/store/database-away.js';
import { exitWithFailure } from './start-failure.js';
import { WaitingServer } from './waiting-server.js';

const FIRST_DELAY_MS = 100;
/** A gateway is to serve within 2 s of the database's return. A refused connection costs next to nothing. */
const MAX_DELAY_MS = 1000;

/** A start asks the database some forty times, one after the other; from then on it is to be seen that it goes on. */
const SLOW_START_MS = 5000;
const SLOW = 'the start takes long, as with a database that answers slowly; not ready until it is over';

/**
 * A start that needs the shared database. Once a try has failed, or the start takes long, a server answers in the gateway's
 * place.
 */
export class DatabaseWait {
  private readonly slow = setTimeout(() => {
    this.answer('database_slow', SLOW).catch(exitWithFailure);
  }, SLOW_START_MS);
  private server: Promise<WaitingServer> | undefined;

  private constructor(private readonly settings: Settings) {}

  /**
   * Begins with a piece of work that needs the database, done again and again for as long as that is away.
   * @throws Error of the work if it does not pass by itself, and of `WaitingServer.listen`
   */
  static async begin(settings: Settings, work: () => Promise<void>): Promise<DatabaseWait> {
    const wait = new DatabaseWait(settings);
    await wait.repeat(work);
    return wait;
  }

  /** The gateway is about to listen. */
  async close(): Promise<void> {
    clearTimeout(this.slow);
    (await this.server)?.close();
  }

  private async repeat(work: () => Promise<void>): Promise<void> {
    let error = await failureOf(work);
    if (error === undefined) {
      return;
    }
    clearTimeout(this.slow);
    await this.answer('database_away', `${error.message}; not ready until it can`);
    for (let delayMs = FIRST_DELAY_MS; error; delayMs = Math.min(MAX_DELAY_MS, 2 * delayMs)) {
      // Nodes that wait together do not all ask at once.
      await pause(delayMs - randomInt(delayMs / 2));
      error = await failureOf(work);
    }
    this.log().info({ event: 'database_back' }, 'the database is there; the start goes on');
  }

  /** Answers from now on, and says why. */
  private async answer(event: string, message: string): Promise<void> {
    const { port } = await (this.server ??= WaitingServer.listen(this.settings));
    this.log().warn({ event, port }, message);
  }

  private log(): Logger {
    return pino(...processLogOf(this.settings)).child({ context: 'Start' });
  }
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
