import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Browser, install } from '@puppeteer/browsers';
import { PUPPETEER_REVISIONS } from 'puppeteer-core/internal/revisions.js';

/*
 * Downloads the headless shell that this Puppeteer is made for. It is a process of its own because a download cannot
 * be cancelled otherwise; each dot is a sign of life.
 * Arguments: the cache folder, and a folder in it to work in, so that nothing half done is ever taken for whole.
 */
const [cacheDir, workDir] = process.argv.slice(2);

try {
  const { path } = await install({
    browser: Browser.CHROMEHEADLESSSHELL,
    buildId: PUPPETEER_REVISIONS[Browser.CHROMEHEADLESSSHELL],
    cacheDir: workDir,
    // Puppeteer's own name for a mirror.
    baseUrl: process.env.PUPPETEER_DOWNLOAD_BASE_URL,
    downloadProgressCallback: () => process.stdout.write('.'),
  });
  const target = join(cacheDir, relative(workDir, path));
  mkdirSync(dirname(target), { recursive: true });
  rmSync(target, { recursive: true, force: true });
  renameSync(path, target);
} catch (error) {
  console.error(`\n${error.message}`);
  process.exitCode = 1;
}
