import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { type UpstreamAccount } from '../../upstream-driver.js';
import { type LaunchedBrowser } from '../browser/launched-browser.js';
import { type Site } from '../site.js';
import { AccountContexts } from './account-contexts.js';

describe('AccountContexts', () => {
  it('opens no context for a caller that left while an earlier opening failed', async () => {
    const { promise: launched, reject } = Promise.withResolvers<LaunchedBrowser>();
    const browser = jest.fn(() => launched);
    const site = { limits: { lookEveryMs: 1000 } } as Site;
    const contexts = new AccountContexts({ browser }, site);
    const account = { id: 'a' } as UpstreamAccount;
    const leaving = new AbortController();

    const staying = contexts.openPage(account, new AbortController().signal);
    await nextTurn();
    const left = contexts.openPage(account, leaving.signal);
    await nextTurn();
    leaving.abort(new Error('left'));
    reject(new Error('no browser'));
    await expect(left).rejects.toThrow('left');
    await expect(staying).rejects.toThrow('no browser');
    await contexts.close();
    expect(browser).toHaveBeenCalledTimes(1);
  });

  it('forgets an earlier context of an account, and not the one that is opened meanwhile', async () => {
    const earlier = Promise.withResolvers<LaunchedBrowser>();
    const later = Promise.withResolvers<LaunchedBrowser>();
    const browser = jest.fn(() => later.promise).mockReturnValueOnce(earlier.promise);
    const site = { limits: { lookEveryMs: 1000 } } as Site;
    const contexts = new AccountContexts({ browser }, site);
    const open = (): Promise<unknown> =>
      contexts
        .openPage({ id: 'a' } as UpstreamAccount, new AbortController().signal)
        .catch((error: Error) => error.message);

    const pages = [open()];
    await nextTurn();
    pages.push(open());
    const forgotten = contexts.forget('a');
    earlier.reject(new Error('no browser'));
    await forgotten;
    pages.push(open());
    await nextTurn();
    expect(browser).toHaveBeenCalledTimes(2);
    later.reject(new Error('none either'));
    expect(await Promise.all(pages)).toEqual(['no browser', 'none either', 'none either']);
    await contexts.close();
  });
});
