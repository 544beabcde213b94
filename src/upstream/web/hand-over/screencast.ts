import { type CDPSession, type Protocol } from 'puppeteer';
import { type PageFrame } from '../../../common/live-page/page-visitor.js';
import { type PageGuard } from '../page/page-guard.js';
import { FrameRelay } from './frame-relay.js';

const QUALITY = 60;
const START_LIMIT_MS = 10_000;

/**
 * Shows the pictures of a page, from now until the returned function is called or the page ends. Every picture is
 * acknowledged at once and the relay leaves out what is too much: the browser itself would leave out the last one.
 */
export async function startScreencast(
  guard: PageGuard,
  show: (frame: PageFrame) => Promise<void>,
): Promise<() => void> {
  const relay = new FrameRelay(show);
  const begin = async (): Promise<CDPSession> => {
    const session = await guard.page.createCDPSession();
    session.on('Page.screencastFrame', (event) => {
      relay.offer(toFrame(event));
      session.send('Page.screencastFrameAck', { sessionId: event.sessionId }).catch(() => undefined);
    });
    await session.send('Page.startScreencast', { format: 'jpeg', quality: QUALITY });
    return session;
  };
  const session = await guard.run(begin(), { timeoutMs: START_LIMIT_MS, what: 'start the screencast' });
  return () => {
    relay.close();
    session.detach().catch(() => undefined);
  };
}

function toFrame({ data, metadata }: Protocol.Page.ScreencastFrameEvent): PageFrame {
  return { picture: data, width: metadata.deviceWidth, height: metadata.deviceHeight };
}
