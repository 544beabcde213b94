import { afterEach, describe, expect, it } from '@jest/globals';
import { chatPage, OddSite, type OddSiteOptions } from '../support/upstream/odd-site.js';
import { type Answer, ask } from '../support/upstream/web-site.js';

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
      '/api/stream': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end('data: {"text":"Hello."}\n\ndata: [DONE]\n\n');
      },
    };
    expect(await answer({ routes, recipe: { capture } })).toMatchObject({
      text: 'Hello.',
      error: undefined,
    });
  });
});
