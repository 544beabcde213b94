import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LogsService } from '../../src/logs/logs.service.js';
import { type NetworkRecord } from '../../src/logs/records/network-record.js';
import { type SandboxDriver } from '../../src/upstream/sandbox-driver.js';
import { UpstreamDriver } from '../../src/upstream/upstream-driver.js';
import { startGateway, type TestGateway } from '../support/gateway/gateway.js';
import { LogClient } from '../support/gateway/log-client.js';
import { StreamCaller } from '../support/gateway/stream-caller.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

describe('network records of a chat site', () => {
  let gateway: TestGateway;
  let logs: LogsService;
  let log: LogClient;
  let passwords: readonly string[];

  beforeAll(async () => {
    gateway = await startGateway({ LOG_CONTENT: 'full', POOL_MIN_SESSIONS: 1 });
    logs = gateway.app.get(LogsService);
    log = new LogClient(gateway.origin);
    const driver = gateway.app.get<UpstreamDriver, SandboxDriver>(UpstreamDriver);
    passwords = driver.sandbox.accounts.map(({ password }) => password);
  });
  afterAll(() => gateway.close());

  const ask = async (prompt: string): Promise<{ answer: string; id: string }> => {
    const { answer, headers } = await new StreamCaller(gateway.baseUrl, prompt).ended;
    return { answer, id: headers.get('x-request-id') ?? '' };
  };
  const records = async (): Promise<readonly NetworkRecord[]> =>
    (await log.page('?limit=500&kind=network')).entries as NetworkRecord[];

  it('contain the exchange of the answer, with the id of its request', async () => {
    const { answer, id } = await ask('A word about rivers');
    expect(answer).not.toBe('');
    await eventually(PATIENCE_MS, async () => {
      const { entry, network } = (await logs.find(id))!;
      expect(network).toEqual([
        {
          kind: 'network',
          id: expect.stringMatching(/^net_/),
          requestId: id,
          account: entry.account,
          startedAt: expect.any(Number),
          method: 'POST',
          url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api\//),
          status: 200,
          firstByteMs: expect.any(Number),
          totalMs: expect.any(Number),
          requestBytes: network[0]?.requestBody?.length,
          responseBytes: Buffer.byteLength(network[0]?.responseBody ?? ''),
          requestHeaders: expect.objectContaining({ 'content-type': 'application/json' }),
          responseHeaders: expect.objectContaining({
            'content-type': expect.stringContaining('text/event-stream'),
          }),
          requestBody: expect.stringContaining('A word about rivers'),
          responseBody: expect.stringContaining('data: '),
        },
      ]);
    });
  });

  it('contain refused and cancelled exchanges', async () => {
    const refused = await ask('[[status:500]] no');
    await eventually(PATIENCE_MS, async () => {
      const { network } = (await logs.find(refused.id))!;
      expect(network[0]).toMatchObject({
        status: 500,
        error: expect.stringContaining('upstream_status_500'),
      });
    });
    const leaving = new AbortController();
    const response = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'svc-max',
        messages: [{ role: 'user', content: '[[chunks:500x20ms]]' }],
      }),
      signal: leaving.signal,
    });
    const reader = response.body!.getReader();
    await reader.read();
    await reader.read();
    leaving.abort();
    const id = response.headers.get('x-request-id') ?? '';
    await eventually(PATIENCE_MS, async () => {
      const { network } = (await logs.find(id))!;
      expect(network.at(-1)).toMatchObject({ error: 'cancelled', totalMs: expect.any(Number) });
    });
  });

  it('contain logins without bodies, by account, and no secret', async () => {
    const all = await records();
    const logins = all.filter(({ url, method }) => method === 'POST' && url.includes('/login'));
    expect(logins.length).toBeGreaterThan(0);
    for (const login of logins) {
      expect(login.account).toEqual(expect.any(String));
      for (const field of ['requestId', 'requestBody', 'responseBody']) {
        expect(login).not.toHaveProperty(field);
      }
    }
    const pages = all.filter(({ method, status }) => method === 'GET' && status === 200);
    expect(pages.length).toBeGreaterThan(0);
    expect(all.filter(({ url }) => /\.(?:js|css|svg|png|ico)$/.test(url))).toEqual([]);
    const everything = JSON.stringify([all, await log.page('?limit=500')]);
    expect(passwords.filter((password) => everything.includes(password))).toEqual([]);
    expect(everything).not.toMatch(/"(?:set-)?cookie":"(?!\[redacted\]")/);
  });
});
