import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { browserProcesses, noBrowserLeft } from '../support/browser/browser-processes.js';
import { ask, WebSite } from '../support/upstream/web-site.js';
import { processPace } from '../support/watch/machine-pace.js';

const never = new AbortController().signal;

describe('WebDriver, browsers that do not come up', () => {
  let web: WebSite;

  beforeEach(async () => {
    web = await WebSite.start();
  });
  afterEach(async () => {
    await web.close();
    expect(await noBrowserLeft(web.settings.DATA_DIR)).toBe(true);
  });

  async function failure(): Promise<unknown> {
    return web
      .driver()
      .open(web.account(), never)
      .catch((error: unknown) => error);
  }

  async function script(content: string): Promise<string> {
    const file = join(web.settings.DATA_DIR, 'browser');
    await writeFile(file, `#!/bin/sh\n${content}\n`, { mode: 0o755 });
    return file;
  }

  it('names a browser that is not there', async () => {
    web.settings.BROWSER_EXECUTABLE_PATH = '/nowhere/chromium';
    expect(await failure()).toMatchObject({ name: 'UnavailableError', fault: 'browser_not_found' });
  });

  it('tells what a browser said before it ended', async () => {
    web.settings.BROWSER_EXECUTABLE_PATH = await script('echo no display here >&2; exit 1');
    expect(await failure()).toMatchObject({
      fault: 'launch_failed',
      message: expect.stringContaining('no display here'),
    });
  });

  it('tries again at once only after the pause', async () => {
    web.settings.BROWSER_EXECUTABLE_PATH = await script('exit 1');
    const driver = web.driver();
    const open = (): Promise<unknown> => driver.open(web.account(), never).catch((error: unknown) => error);
    await open();
    await writeFile(web.settings.BROWSER_EXECUTABLE_PATH, '#!/bin/sh\nsleep 60\n');
    const from = performance.now();
    expect(await open()).toMatchObject({ fault: 'launch_failed' });
    await processPace.expectWithin(performance.now() - from, 500);
  });

  it('removes the profiles that a killed process left', async () => {
    const profiles = join(web.settings.DATA_DIR, 'profiles');
    await mkdir(join(profiles, 'browser-old', 'Default'), { recursive: true });
    const driver = web.driver();
    const session = await driver.open(web.account(), never);
    const running = await readdir(profiles);
    expect(running).toHaveLength(1);
    expect(running).not.toContain('browser-old');
    await session.close();
    await driver.close();
    expect(await readdir(web.settings.DATA_DIR)).not.toContain('profiles');
  });
});

describe('WebDriver, a remote browser', () => {
  let web: WebSite;
  let folder: string;
  let remote: ChildProcess | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gateway-remote-'));
  });
  afterEach(async () => {
    await web.close();
    killRemote();
    // Dying processes still write into their profile.
    expect(await noBrowserLeft(folder)).toBe(true);
    remote = undefined;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  function killRemote(): void {
    if (remote?.pid && remote.exitCode === null && remote.signalCode === null) {
      process.kill(-remote.pid, 'SIGKILL');
    }
  }

  const start = async (endpoint: string): Promise<void> => {
    web = await WebSite.start({ settings: { BROWSER_WS_ENDPOINT: endpoint } });
  };

  /** A browser of somebody else's, with an open port. */
  async function startRemote(): Promise<string> {
    remote = spawn(
      process.env.BROWSER_EXECUTABLE_PATH ?? '',
      ['--headless', '--no-sandbox', '--remote-debugging-port=0', `--user-data-dir=${folder}`],
      { detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let output = '';
    for await (const bytes of remote.stderr ?? []) {
      output += String(bytes);
      const endpoint = /DevTools listening on (ws:\S+)/.exec(output)?.[1];
      if (endpoint) {
        return endpoint;
      }
    }
    throw new Error(output);
  }

  it('is used like an own one, and left running', async () => {
    await start(await startRemote());
    const driver = web.driver();
    const session = await driver.open(web.account(), never);
    expect((await ask(session, '[[say:far]]')).text).toBe('far');
    expect(await browserProcesses(web.settings.DATA_DIR)).toEqual([]);
    await session.close();
    await driver.close();
    expect(remote?.exitCode).toBeNull();
  });

  it('that goes away ends the answers in it', async () => {
    await start(await startRemote());
    const session = await web.driver().open(web.account(), never);
    const { error } = await ask(session, '[[chunks:1000x10ms]]', {
      thinking: false,
      onEvent: ({ type }) => type === 'text' && killRemote(),
    });
    expect(error).toMatchObject({ fault: 'browser_crashed' });
    await session.close();
    const failed = await web
      .driver()
      .open(web.account(), never)
      .catch((caught: unknown) => caught);
    expect(failed).toMatchObject({ fault: 'launch_failed' });
  });
});
