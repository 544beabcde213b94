import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { browserProcesses } from '../support/browser/browser-processes.js';
import { TokenBrowser } from '../support/browser/token-browser.js';
import { ChildGateway } from '../support/gateway/child-gateway.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

describe('a browser behind TLS and a token', () => {
  let remote: TokenBrowser;
  let folder: string;

  beforeEach(async () => {
    [remote, folder] = await Promise.all([TokenBrowser.start(), mkdtemp(join(tmpdir(), 'token-browser-'))]);
  });
  afterEach(async () => {
    await remote.close();
    await rm(folder, { recursive: true, force: true });
  });

  const startGateway = (endpoint: string, outputFile?: string): Promise<ChildGateway> =>
    ChildGateway.start(
      {
        DATA_DIR: folder,
        BROWSER_ENDPOINTS: endpoint,
        NODE_EXTRA_CA_CERTS: TokenBrowser.authority,
        API_KEY: '',
        LOG_LEVEL: 'debug',
      },
      outputFile,
    );

  it('answers', async () => {
    const gateway = await startGateway(remote.endpoint());
    try {
      await gateway.ask();
      expect(await remote.browser.contexts()).not.toEqual([]);
      expect(await browserProcesses(folder)).toEqual([]);
    } finally {
      await gateway.kill();
    }
  });

  it('that refuses the token is named without it', async () => {
    const output = join(folder, 'output');
    const gateway = await startGateway(remote.endpoint('canary-9f2c'), output);
    try {
      const address = new URL(gateway.baseUrl);
      const told = await eventually(PATIENCE_MS, async () => {
        const pages = ['/health/ready', '/dashboard/api/status', '/dashboard/api/settings', '/metrics'];
        const answers = await Promise.all(pages.map((path) => fetch(new URL(path, address))));
        const texts = await Promise.all([
          ...answers.map((answer) => answer.text()),
          readFile(output, 'utf8'),
        ]);
        expect(answers[0]?.status).toBe(503);
        expect(texts.at(-1)).toContain(`${remote.origin} cannot be used: it answered with status 401.`);
        return texts;
      });
      expect(told.filter((text) => text.includes('canary-9f2c'))).toEqual([]);
    } finally {
      await gateway.kill();
    }
  });
});
