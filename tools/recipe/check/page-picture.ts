import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PageGuard } from '../../../src/upstream/web/page/page-guard.js';
import { shownUrl } from '../shown-url.js';

const LIMITS = { timeoutMs: 10_000, what: 'look at the page' };

/** A failed page as a person would see it first. */
export interface PagePicture {
  readonly url: string;
  readonly title: string;
  /** Path of a PNG; undefined if none could be taken. */
  readonly screenshot: string | undefined;
}

/** Stores a screenshot in a folder, which is created if need be. Never throws: the page may be gone. */
export async function takePicture(guard: PageGuard, folder: string, name: string): Promise<PagePicture> {
  const { page } = guard;
  const [title, screenshot] = await Promise.all([
    guard.run(page.title(), LIMITS).catch(() => ''),
    guard
      .run(page.screenshot({ type: 'png' }), LIMITS)
      .then((png) => keep(png, folder, name))
      .catch(() => undefined),
  ]);
  return { url: shownUrl(page.url()), title, screenshot };
}

async function keep(png: Uint8Array, folder: string, name: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${name.replace(/[^\w.-]+/g, '-')}.png`);
  await writeFile(file, png);
  return file;
}
