import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { survivors } from '../../../../test/support/browser/child-browsers.js';
import { eventually, PATIENCE_MS } from '../../../../test/support/watch/eventually.js';
import { BrowserProcess } from './browser-process.js';

/** Makes the socket of a profile as Chrome does, and says how that ended. */
const LIKE_CHROME = `
  const folder = require('node:fs').mkdtempSync(process.env.TMPDIR + '/org.chromium.Chromium.');
  const server = require('node:net').createServer().on('error', ({ code }) => console.error(code));
  server.listen(folder + '/SingletonSocket', () => {
    console.error('listens');
    server.close();
  });`;

describe('BrowserProcess', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gateway-process-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('has room for the socket of a browser, however long the path of its profile is', async () => {
    const profile = join(folder, 'a-long-name'.repeat(9), 'browser-abcdef');
    await mkdir(profile, { recursive: true });
    const browser = BrowserProcess.start(process.execPath, ['-e', LIKE_CHROME, '--'], profile, undefined);
    await browser.exited;
    expect(browser.lastOutput).toBe('listens');
  });

  it('ends what a script has started once the script ends', async () => {
    const script = join(folder, 'browser');
    await writeFile(script, '#!/bin/sh\nsleep 60 &\necho $! >&2\n', { mode: 0o755 });
    const browser = BrowserProcess.start(script, [], folder, undefined);
    await browser.exited;
    await eventually(PATIENCE_MS, async () => {
      expect(await survivors([Number(browser.lastOutput || process.pid)])).toEqual([]);
    });
  });
});
