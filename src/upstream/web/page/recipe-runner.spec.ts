import { expect, it } from '@jest/globals';
import { type Page } from 'puppeteer';
import { type LaunchedBrowser } from '../browser/launched-browser.js';
import { type RecipeStep } from '../recipe/recipe-step.js';
import { PageGuard } from './page-guard.js';
import { RecipeRunner } from './recipe-runner.js';

it('names the option that is missing as the recipe does, without what was filled in', async () => {
  const page = {
    on: () => undefined,
    once: () => undefined,
    waitForSelector: () => Promise.resolve({ evaluate: () => Promise.resolve(false) }),
  } as unknown as Page;
  const browser = { gone: new AbortController().signal } as LaunchedBrowser;
  const runner = new RecipeRunner(new PageGuard(page, browser), { 'account.token': 's3cr3t' });
  const step = {
    action: 'select',
    selector: '#mode',
    value: '{{account.token}}',
    timeoutMs: 1000,
    hidden: false,
  } as RecipeStep;
  await expect(runner.run([step])).rejects.toThrow('There is no option {{account.token}}.');
});
