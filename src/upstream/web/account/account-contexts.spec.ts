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
});
