import { type LaunchedBrowser } from './launched-browser.js';

const TICK_MS = 250;
/** 2.25 s without any message. */
const SILENT_TICKS = 9;
/** 8 s without a byte from another machine: long enough for a network that recovers, short enough for a second try. */
const REMOTE_SILENT_TICKS = 32;
/** 15 s without an answer. */
const UNANSWERED_TICKS = 60;

/**
 * False if the browser answers no ping and sends nothing else for 2.25 s (8 s over the network), or answers none for 15 s:
 * an overloaded browser answers late, but keeps sending events. Counts ticks instead of time, since after a stall of this process
 * its timer runs before the messages that the browser has sent meanwhile.
 */
export async function answersPing(launched: LaunchedBrowser): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const answered = (): void => resolve(true);
  // A rejected ping is no hang: the browser is gone, which `LaunchedBrowser` reports.
  const ask = (): void => void launched.ping().then(answered, answered);
  ask();
  let ticks = 0;
  let silentTicks = 0;
  const allowedTicks = launched.isRemote ? REMOTE_SILENT_TICKS : SILENT_TICKS;
  let { heard } = launched;
  const timer = setInterval(() => {
    ticks++;
    silentTicks = launched.heard === heard ? silentTicks + 1 : 0;
    ({ heard } = launched);
    if (silentTicks >= allowedTicks || ticks >= UNANSWERED_TICKS) {
      resolve(false);
    } else {
      // A crash of the network service loses its ping.
      ask();
    }
  }, TICK_MS);
  try {
    return await promise;
  } finally {
    clearInterval(timer);
  }
}
