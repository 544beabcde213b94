import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { DevToolsTransport } from '../../../src/upstream/web/browser/devtools-transport.js';
import { RequestGate } from '../../../src/upstream/web/capture/request-gate.js';
import { answerHello, chatPage, OddSite, type OddSiteOptions } from '../../support/upstream/odd-site.js';
import { type Answer, ask } from '../../support/upstream/web-site.js';

describe('WebDriver, pages and sites that send what nobody expects', () => {
  let site: OddSite;
  afterEach(() => site.close());

  async function answer(options: OddSiteOptions): Promise<Answer> {
    site = await OddSite.start(options);
    const session = await site.open();
    try {
      return await ask(session, 'Say hello.');
    } finally {
      await session.close();
    }
  }

  const answerRules = { content: [{ path: 'text' }], done: [{ data: '[DONE]' }] };

  it('lets a request pass whose body the browser cannot give, where the recipe looks into bodies', async () => {
    const script = `
      const streamed = () => fetch('/api/chat?streamed', { method: 'POST', duplex: 'half', body: new ReadableStream({
        start(c) { c.enqueue(new TextEncoder().encode('abc')); c.close(); } }) }).catch(() => undefined);
      streamed();
      send.onclick = async () => { await streamed(); await post(take()); };`;
    const capture = {
      mode: 'replay',
      request: { url: '{{site.origin}}/api/chat*', when: [{ path: 'prompt' }] },
      format: 'sse',
      answer: answerRules,
    };
    expect(await answer({ routes: { '/': chatPage(script) }, recipe: { capture } })).toMatchObject({
      text: 'Hello.',
      error: undefined,
    });
  });

  it('takes the id of a conversation that is no well-formed text', async () => {
    const script = `
      send.onclick = async () => {
        const { id } = JSON.parse(await post(take(), '/api/send'));
        await fetch('/api/stream?conversation=' + encodeURIComponent(id.toWellFormed()));
      };`;
    const capture = {
      mode: 'observe',
      promptRequest: { url: '{{site.origin}}/api/send' },
      request: { url: '{{site.origin}}/api/stream*', method: 'GET' },
      format: 'sse',
      answer: { ...answerRules, conversation: { responsePath: 'id' } },
    };
    const routes: OddSiteOptions['routes'] = {
      '/': chatPage(script),
      '/api/send': (_request, response) => void response.end('{"id":"a\\ud800b"}'),
      '/api/stream': (_request, response) => answerHello(response),
    };
    expect(await answer({ routes, recipe: { capture } })).toMatchObject({
      text: 'Hello.',
      error: undefined,
    });
  });

  it('reads large databases of a login no further than to the limit, and keeps small ones', async () => {
    const script = `
      prompt_.hidden = true;
      const fill = (name, records) => new Promise((resolve) => {
        const opening = indexedDB.open(name, 1);
        opening.onupgradeneeded = () => {
          const store = opening.result.createObjectStore('entries');
          records.forEach((record, at) => store.put(record, at));
        };
        opening.onsuccess = () => resolve(opening.result.close());
      });
      Promise.all([
        fill('chats', Array(20).fill('x'.repeat(2 ** 20))),
        fill('files', Array(20).fill(new Date(0))),
        fill('token', ['secret']),
      ]).then(() => (prompt_.hidden = false));`;
    const { prototype } = DevToolsTransport as unknown as { prototype: { deliver(text: string): unknown } };
    const deliver = jest.spyOn(prototype, 'deliver');
    site = await OddSite.start({
      routes: { '/': chatPage(script) },
      recipe: { login: { when: 'unsaved', steps: [], success: { selector: '#prompt' } } },
    });
    await (await site.open()).close();
    const sizes = deliver.mock.calls.map(([text]) => text.length);
    deliver.mockRestore();
    const { databases } = JSON.parse(site.state!) as { databases: Record<string, { name: string }[]> };
    expect(databases[site.origin]?.map(({ name }) => name)).toEqual(['files', 'token']);
    expect(site.state).toContain('"value":"secret"');
    expect(Math.max(...sizes)).toBeLessThan(2 ** 20);
  });

  it.each([
    ['an endless stream', { 'content-type': 'text/event-stream' }, 'data: {}\n\n'],
    ['far too long', { 'content-length': String(17 * 2 ** 20) }, ' '.repeat(17 * 2 ** 20)],
  ])('passes on the response to a prompt unread that is %s', async (_what, headers, body) => {
    const script = `
      send.onclick = async () => {
        const response = await fetch('/api/send', { method: 'POST', body: JSON.stringify({ prompt: take() }) });
        await response.body.getReader().read();
        await fetch('/api/stream');
      };`;
    const capture = {
      mode: 'observe',
      promptRequest: { url: '{{site.origin}}/api/send' },
      request: { url: '{{site.origin}}/api/stream*', method: 'GET' },
      format: 'sse',
      answer: answerRules,
    };
    const response = jest.spyOn(RequestGate.prototype, 'response');
    const routes: OddSiteOptions['routes'] = {
      '/': chatPage(script),
      '/api/send': (_request, answer) => void answer.writeHead(200, headers).write(body),
      '/api/stream': (_request, answer) => answerHello(answer),
    };
    expect(await answer({ routes, recipe: { capture } })).toMatchObject({ text: 'Hello.', error: undefined });
    expect(await response.mock.results[0]?.value).toMatchObject({ status: 200, body: '' });
    response.mockRestore();
  });
});
