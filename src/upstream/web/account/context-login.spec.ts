import { EventEmitter } from 'node:events';
import { expect, it } from '@jest/globals';
import { type BrowserContext, type Page } from 'puppeteer';
import { type UpstreamAccount } from '../../upstream-driver.js';
import { type LaunchedBrowser } from '../browser/launched-browser.js';
import { type EarlierPrompts } from '../capture/earlier-prompts.js';
import { type ChatPage } from '../conversation/chat-page.js';
import { PageGuard } from '../page/page-guard.js';
import { type Site } from '../site.js';
import { ContextLogin } from './context-login.js';

/** Lands on a page whose browser does with the scripts of a saved login what is given. */
function land(addScript: (page: EventEmitter) => Promise<never>): Promise<void> {
  const events = new EventEmitter();
  const page = Object.assign(events, { evaluateOnNewDocument: () => addScript(events) }) as unknown as Page;
  const launched = { gone: new AbortController().signal } as LaunchedBrowser;
  const login = new ContextLogin(
    {} as BrowserContext,
    launched,
    { loadState: async () => '{"cookies":[],"storage":{}}' } as unknown as UpstreamAccount,
    { clock: { monotonic: () => 0 } } as Site,
    {} as EarlierPrompts,
  );
  const chat = { guard: new PageGuard(page, launched) } as ChatPage;
  return login.land(chat, new AbortController().signal);
}

it('takes a browser that ends while a login is restored for one that failed', async () => {
  const lost = land(() => Promise.reject(new Error('Protocol error: Target closed')));
  await expect(lost).rejects.toMatchObject({ fault: 'browser_failed' });
});

it('waits for no answer of a page that crashed while a login is restored', async () => {
  const crashed = land((page) => {
    page.emit('error');
    return new Promise(() => undefined);
  });
  await expect(crashed).rejects.toMatchObject({ fault: 'page_crashed' });
});
