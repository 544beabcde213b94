import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { RunningCompletions } from '../chat/running-completions.js';
import { Settings } from '../common/config/settings.js';
import { flushProcessLog } from '../common/logging/process-log.js';
import { WorkerClient } from '../common/threads/worker-client.js';
import { type Gateway } from '../gateway.js';
import { ReadinessService } from '../health/readiness.service.js';
import { LogsService } from '../logs/logs.service.js';
import { EXIT_FAILED, exitWithFailure } from './start-failure.js';
import { STOP_SIGNALS } from './stop-signals.js';

/**
 * Longest time for closing everything once running answers are over. With `STOP_AT_ONCE_MS` it is less than the 15 s after
 * `DRAIN_MS` that the files for supervisors leave a gateway (decision 255).
 */
const CLOSE_LIMIT_MS = 10_000;

/** Longest time from the second signal, or from what takes its place, to the exit. */
const STOP_AT_ONCE_MS = 4500;

/**
 * The first signal tells balancers (`SHUTDOWN_DELAY_MS`), then lets running answers finish (`DRAIN_MS`); a second one ends
 * them and exits once that is in the log, a third one exits at once. After an uncaught error the state of the process is
 * unknown, so it shuts down without the delay, for a supervisor to restart it.
 * @param begun settles once the gateway has begun: what is half begun cannot be closed in good order
 * @returns whether it was told to end
 */
export function shutDownGracefully(gateway: Gateway, begun: Promise<unknown>): () => boolean {
  const logger = new Logger('Start');
  let timesTold = 0;
  const stop = (exitCode: number, delayMs: number): void => {
    timesTold += 1;
    if (timesTold === 1) {
      const giveUp = (): void => {
        logger.error('the gateway could not be closed in time, and exits as it is');
        stop(EXIT_FAILED, 0);
      };
      closeAfter(gateway, begun, delayMs, giveUp).then(() => {
        logger.log({ event: 'stopped' }, 'the gateway has ended');
        exit(timesTold === 1 ? exitCode : EXIT_FAILED);
      }, exitWithFailure);
    } else if (timesTold === 2) {
      void stopAtOnce(gateway);
    } else {
      exit(EXIT_FAILED);
    }
  };
  const settings = gateway.get(Settings);
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      logger.log({ event: 'stopping', signal }, `the gateway is told to end by ${signal}`);
      stop(0, settings.SHUTDOWN_DELAY_MS);
    });
  }
  process.on('uncaughtException', (error) => {
    logger.error(error, 'uncaught exception');
    stop(EXIT_FAILED, 0);
  });
  return () => timesTold > 0;
}

/**
 * A listener that closes unannounced resets the connections that a balancer has just opened to it. What cannot be closed in
 * time, e.g. with a database or a disk that hangs, is left as it is, before a supervisor kills the process.
 */
async function closeAfter(
  gateway: Gateway,
  begun: Promise<unknown>,
  delayMs: number,
  giveUp: () => void,
): Promise<void> {
  gateway.get(ReadinessService).announceShutdown();
  await pause(delayMs);
  setTimeout(giveUp, gateway.get(Settings).DRAIN_MS + CLOSE_LIMIT_MS);
  await begun;
  await gateway.close();
}

/** Tells the callers under way, stores their log entries and exits, whatever else is still being closed. */
async function stopAtOnce(gateway: Gateway): Promise<never> {
  setTimeout(() => killItself('callers or the log take too long'), STOP_AT_ONCE_MS);
  await gateway.get(RunningCompletions).endAll();
  await gateway.get(LogsService).close();
  exit(EXIT_FAILED);
}

/** Node waits for its threads at the exit, for ever if one is in a call to a disk that hangs. */
function exit(code: number): never {
  if (WorkerClient.isAnyEnding) {
    killItself('a thread does not end');
  }
  process.exit(code);
}

/** Even an exit may wait for a thread, and so may the log that is to be stored before. */
function killItself(reason: string): void {
  new Logger('Start').error(`${reason}, so the process kills itself`);
  flushProcessLog();
  process.kill(process.pid, 'SIGKILL');
}
