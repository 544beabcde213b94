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
  it('is JSON lines alone with LOG_FORMAT=json', async () => {
    const lines = (await written({ LOG_FORMAT: 'json', LOG_LEVEL: 'info' })).trimEnd().split('\n');
    const events = lines.map((line) => (JSON.parse(line) as { event?: string }).event);
    expect(events.filter((event) => event === 'listening')).toHaveLength(1);
  });

  it('tells where the gateway is, whatever the level', async () => {
    const greeting = await written({ LOG_FORMAT: 'json', LOG_LEVEL: 'silent' });
    expect(JSON.parse(greeting)).toMatchObject({ event: 'listening', level: 30 });
  });

  it.each(['text', 'auto'])('greets people with LOG_FORMAT=%s', async (LOG_FORMAT) => {
    expect(await written({ LOG_FORMAT })).toContain('\n  try it    curl http://127.0.0.1:');
  });
});
