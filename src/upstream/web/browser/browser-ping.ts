import { type LaunchedBrowser } from './launched-browser.js';

const TICK_MS = 250;
/** 2.25 s without any message. */
const SILENT_TICKS = 9;
/** 15 s without an answer. */
const UNANSWERED_TICKS = 60;

/**
 * False if the browser answers no ping and sends nothing else for 2.25 s, or answers none for 15 s: an overloaded
 * browser answers late, but keeps sending events. Counts ticks instead of time, since after a stall of this process
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
  let heard = launched.messageCount;
  const timer = setInterval(() => {
    ticks++;
    const isSilent = heard !== undefined && launched.messageCount === heard;
    silentTicks = isSilent ? silentTicks + 1 : 0;
    heard = launched.messageCount;
    if (silentTicks >= SILENT_TICKS || ticks >= UNANSWERED_TICKS) {
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
