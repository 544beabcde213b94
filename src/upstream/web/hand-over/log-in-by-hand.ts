import { setTimeout as pause } from 'node:timers/promises';
import { type PageVisitor } from '../../../common/live-page/page-visitor.js';
import { NoNetworkLog } from '../../../common/network/network-log.js';
import { HOUR_MS } from '../../../common/time/durations.js';
import { UnavailableError, UpstreamError } from '../../upstream.errors.js';
import { type UpstreamAccount } from '../../upstream-driver.js';
import { AccountContext } from '../account/account-context.js';
import { type BrowserFleet } from '../browser/browser-fleet.js';
import { EarlierPrompts } from '../capture/earlier-prompts.js';
import { type ChatPage } from '../conversation/chat-page.js';
import { untilTrue } from '../page/until-found.js';
import { type Site } from '../site.js';
import { PageActor } from './page-actor.js';
import { startScreencast } from './screencast.js';

/** Between two looks for the sign of a login. */
const LOOK_MS = 250;
/** Longest login by hand. */
const LIMIT_MS = HOUR_MS;

/**
 * Has a person log an account in, on a page in a browser context of its own, which has the account's saved login and the
 * boundary of every other. The recipe leads as far as it knows. The traffic is not logged, since a person types there.
 * @throws UpstreamError; the signal's reason
 */
export async function logInByHand(
  fleet: Pick<BrowserFleet, 'browser'>,
  site: Site,
  account: UpstreamAccount,
  visitor: PageVisitor,
  signal: AbortSignal,
): Promise<void> {
  const silent = { ...site, network: new NoNetworkLog() };
  const browser = await fleet.browser(account.id);
  const context = await AccountContext.open(browser, account, silent, new EarlierPrompts());
  try {
    signal.throwIfAborted();
    await context.logInWith((page, arrived) => showPage(page, arrived, silent, visitor, signal), signal);
  } finally {
    await context.close();
  }
}

async function showPage(
  page: ChatPage,
  arrived: () => Promise<void>,
  { recipe }: Site,
  visitor: PageVisitor,
  signal: AbortSignal,
): Promise<void> {
  const { login } = recipe;
  const stop = await startScreencast(page.guard, (frame) => visitor.show(frame));
  try {
    await asFarAsKnown(page, signal, async () => {
      const landing = await page.openChat(signal).finally(arrived);
      if (landing === 'login' || login.when === 'unsaved') {
        await page.runner(signal).run(login.steps);
      }
    });
    const actor = await PageActor.start(page.guard);
    visitor.handOver((inputs) => actor.act(inputs));
    const look = async (): Promise<boolean> => {
      await pause(LOOK_MS);
      return page.signs.shows([login.success]);
    };
    if (!(await untilTrue(look, page.guard, LIMIT_MS, signal))) {
      throw new UnavailableError('page_timeout', 'The login took more than an hour.');
    }
  } finally {
    stop();
  }
}

/** The person goes on if the recipe fails, e.g. before a challenge. */
async function asFarAsKnown(page: ChatPage, signal: AbortSignal, lead: () => Promise<void>): Promise<void> {
  try {
    await lead();
  } catch (error) {
    signal.throwIfAborted();
    page.guard.gone.throwIfAborted();
    if (!(error instanceof UpstreamError)) {
      throw error;
    }
  }
}
