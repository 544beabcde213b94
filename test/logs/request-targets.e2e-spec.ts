import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StubGateway } from '../support/gateway/stub-gateway.js';
import { exchange } from '../support/hostile/raw-http.js';
import { answer } from '../support/upstream/openai-stub-plans.js';

const ENDPOINTS: readonly (readonly [path: string, body: object])[] = [
  ['/v1/chat/completions', { model: 'svc-max', stream: false, messages: [{ role: 'user', content: 'Hi' }] }],
  ['/v1/responses', { model: 'svc-max', input: 'Hi' }],
  ['/api/chat', { model: 'svc-max', stream: false, messages: [{ role: 'user', content: 'Hi' }] }],
  ['/v1beta/models/svc-max:generateContent', { contents: [{ parts: [{ text: 'Hi' }] }] }],
];

describe('a completion is logged as one, however its request names the path', () => {
  let gateway: StubGateway;

  beforeAll(async () => {
    gateway = await StubGateway.start();
    gateway.stub.answerWith(answer({ pieces: ['Hello'] }));
  });
  afterAll(() => gateway.close());

  it.each(ENDPOINTS)('%s', async (path, object) => {
    const body = JSON.stringify(object);
    const { port } = gateway;
    const targets = [
      path,
      `http://127.0.0.1:${port}${path}`,
      `${path}#part`,
      `http://127.0.0.1:${port}${path}?a=b#part`,
      // What Express reads as slashes, for the sake of the fragment.
      `${path.replaceAll('/', '\\').replace('\\', '/')}#`,
    ];
    for (const target of targets) {
      const { status } = await exchange(
        port,
        `POST ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
          `Content-Length: ${body.length}\r\n\r\n${body}`,
      );
      expect([target, status]).toEqual([target, 200]);
      expect(gateway.lastEntry).toMatchObject({ path, operation: 'completion', outcome: 'ok' });
    }
  });
});
