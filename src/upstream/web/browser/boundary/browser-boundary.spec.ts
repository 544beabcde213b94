import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { BrowserBoundary } from './browser-boundary.js';

const allowedOrigins = ['https://chat.example'];

/** Whether something listens at the address of a proxy. */
async function isOpen(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

describe('BrowserBoundary', () => {
  it('leaves the browser no way past its proxy, and no windows unless they are kept', async () => {
    const strict = await BrowserBoundary.open({ allowedOrigins });
    const lax = await BrowserBoundary.open({ allowedOrigins, keepsWindows: true });
    const args = [
      expect.stringMatching(/^--proxy-server=http:\/\/127\.0\.0\.1:\d+$/),
      '--proxy-bypass-list=<-loopback>',
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
      '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    ];
    expect(strict.args).toEqual([...args, '--block-new-web-contents']);
    expect(lax.args).toEqual(args);
    strict.close();
    lax.close();
  });

  it('ends the proxy of a context with the context, or with the browser', async () => {
    const boundary = await BrowserBoundary.open({ allowedOrigins });
    const [first, second] = await Promise.all([
      boundary.openContext(() => undefined),
      boundary.openContext(() => undefined),
    ]);
    const urls = [first.options.proxyServer, second.options.proxyServer];
    first.close();
    expect(await Promise.all(urls.map(isOpen))).toEqual([false, true]);
    boundary.close();
    first.close();
    expect(await Promise.all(urls.map(isOpen))).toEqual([false, false]);
  });

  it('opens none that is asked for as the browser ends', async () => {
    const boundary = await BrowserBoundary.open({ allowedOrigins });
    const opening = boundary.openContext(() => undefined);
    boundary.close();
    await expect(opening).rejects.toThrow('The browser has ended.');
  });
});
