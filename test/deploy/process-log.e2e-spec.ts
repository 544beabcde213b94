import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChildGateway } from '../support/gateway/child-gateway.js';

let data: string;
let output: string;
let gateway: ChildGateway | undefined;

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'gateway-output-'));
  output = join(data, 'output');
});
afterEach(async () => {
  await gateway?.kill();
  rmSync(data, { recursive: true, force: true });
});

/** What it has written, all of it. */
async function written(settings: Record<string, string>): Promise<string> {
  const upstream = { PROVIDER: 'openai', UPSTREAM_BASE_URL: 'http://127.0.0.1:1/v1' };
  gateway = await ChildGateway.start({ ...upstream, ...settings, DATA_DIR: data }, output);
  gateway.signal('SIGTERM');
  await gateway.ended;
  return readFileSync(output, 'utf8');
}

describe('what the process writes', () => {
  it.each(['json', 'auto'])('is JSON lines alone with LOG_FORMAT=%s and no terminal', async (LOG_FORMAT) => {
    const lines = (await written({ LOG_FORMAT, LOG_LEVEL: 'info' })).trimEnd().split('\n');
    const events = lines.map((line) => (JSON.parse(line) as { event?: string }).event);
    expect(events.filter((event) => event === 'listening')).toHaveLength(1);
  });

  it('tells where the gateway is, whatever the level', async () => {
    expect(JSON.parse(await written({ LOG_LEVEL: 'silent' }))).toMatchObject({
      event: 'listening',
      level: 30,
    });
  });

  it('is for a person with LOG_FORMAT=text', async () => {
    expect(await written({ LOG_FORMAT: 'text' })).toContain('\n  try it    curl http://127.0.0.1:');
  });
});
