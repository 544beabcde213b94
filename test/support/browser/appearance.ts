import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { type AxeResults, type RunOptions } from 'axe-core';
import { type Page } from 'puppeteer';
import { inPage } from './dashboard-browser.js';

/** Folder of the screenshots of every page, for visual review; ignored by git. */
const FOLDER = fileURLToPath(new URL('../../../screenshots', import.meta.url));

let axe: Promise<string> | undefined;

function axeSource(): Promise<string> {
  axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  return axe;
}

/** Keeps a screenshot. @param name of the file, without its ending */
export async function keepPicture(page: Page, name: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  await page.screenshot({ path: join(FOLDER, `${name}.png`), optimizeForSpeed: true });
}

/** Rules about colours, which is all in which a theme differs from another. */
const OF_COLOURS: RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] };

/** Views in which every page must look right, with what is looked for in them. */
const VIEWS = [
  ['light', 'light', 1440, 900, {}],
  ['dark', 'dark', 1440, 900, OF_COLOURS],
  ['narrow', 'light', 390, 844, {}],
  ['narrow-dark', 'dark', 390, 844, OF_COLOURS],
] as const;

/** Keeps a screenshot of each view of a page; it must be accessible in all of them, and fit a narrow screen. */
export async function keepViews(page: Page, name: string): Promise<void> {
  for (const [view, theme, width, height, rules] of VIEWS) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    await page.setViewport({ width, height });
    await page.evaluate(`document.querySelector('.entry[open]')?.scrollIntoView()`);
    await keepPicture(page, `${name}-${view}`);
    expect([view, await findings(page, rules)]).toEqual([view, []]);
  }
  expect(await inPage(page, 'document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
}

/** Repeated rows of long lists, left out because they only slow axe down. */
const MORE_OF_THE_SAME = ['.entries > li:nth-child(n+13)', '.exchange-list > li:nth-child(n+13)'];

/**
 * The findings of axe, with place and reason. It describes nothing of what passes, which halves its time.
 * @param rules all by default
 */
export async function findings(page: Page, rules: RunOptions = {}): Promise<string[]> {
  if (!(await inPage(page, `'axe' in window`))) {
    await page.evaluate(await axeSource());
  }
  const where = JSON.stringify({ exclude: MORE_OF_THE_SAME });
  const how = JSON.stringify({ resultTypes: ['violations'], ...rules });
  const violations = await inPage<AxeResults['violations']>(
    page,
    `axe.run(${where}, ${how}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(texts);
}

function texts({ id, nodes }: AxeResults['violations'][number]): string[] {
  return nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`);
}
