import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { PipeTransport } from '../../../src/upstream/web/browser/pipe-transport.js';
import { chatPage, OddSite } from '../../support/upstream/odd-site.js';
import { ask } from '../../support/upstream/web-site.js';

interface Command {
  readonly method: string;
  readonly params?: { readonly behavior?: string; readonly browserContextId?: string };
}

const SCRIPT = `
  send.onclick = () => post(take());
  onload = () => Object.assign(document.createElement('a'), { href: '/file', download: 'file.bin' }).click();`;

describe('WebDriver, a site that has the browser download files', () => {
  let site: OddSite;
  afterEach(() => site.close());

  it('takes none, in any context in which it opens pages', async () => {
    const left = Promise.withResolvers<void>();
    site = await OddSite.start({
      routes: {
        '/': chatPage(SCRIPT),
        '/file': (_request, response) => {
          response.once('close', () => left.resolve());
          response
            .writeHead(200, { 'content-type': 'application/octet-stream' })
            .write(Buffer.alloc(2 ** 20));
        },
      },
    });
    const send = jest.spyOn(PipeTransport.prototype, 'send');
    const session = await site.open();
    expect(await ask(session, 'Say hello.')).toMatchObject({ text: 'Hello.', error: undefined });
    // The headless shell does not even ask for the file.
    if (site.paths.includes('/file')) {
      await left.promise;
    }
    await session.close();
    const commands = send.mock.calls.map(([message]) => JSON.parse(message) as Command);
    send.mockRestore();
    const contextsOf = (method: string, behavior?: string): Set<string | undefined> =>
      new Set(
        commands
          .filter((command) => command.method === method && command.params?.behavior === behavior)
          .map(({ params }) => params?.browserContextId),
      );
    const used = contextsOf('Target.createTarget');
    expect(used.size).toBe(1);
    expect(contextsOf('Browser.setDownloadBehavior', 'deny')).toEqual(used);
  });
});
