import { createHash } from 'node:crypto';
import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { SharedSite } from '../support/cluster/shared-site.js';
import { startGateway, type TestGateway } from '../support/gateway/gateway.js';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const JPEG = '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP//';
const QUESTION = '[[echo]] What is this?';

describe('Images over a chat site', () => {
  let site: SharedSite;
  let gateway: TestGateway;
  let openai: OpenAI;
  let anthropic: Anthropic;

  beforeAll(async () => {
    site = await SharedSite.start(
      {},
      {
        prompt: {
          input: '#prompt',
          images: {
            selector: '#attachment',
            attached: '.attached',
            most: 2,
          },
        },
      },
    );
    gateway = await startGateway(site.settings);
    await site.addAccounts(gateway);
    const options = { apiKey: 'none', maxRetries: 0 };
    openai = new OpenAI({ baseURL: gateway.baseUrl, ...options });
    anthropic = new Anthropic({ baseURL: gateway.origin, ...options });
  });

  afterAll(async () => {
    await gateway?.close();
    await site?.close();
  });

  it('lists models that take images', async () => {
    const { data } = await openai.models.list();
    expect(data).toEqual(
      ['svc-max', 'svc-plus', 'svc-max-no-thinking', 'svc-plus-no-thinking'].map((id) =>
        expect.objectContaining({ id, modalities: ['text', 'image'] }),
      ),
    );
  });

  it('attaches an image of a chat completion', async () => {
    const { choices } = await openai.chat.completions.create({
      model: 'svc-max',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: QUESTION },
            { type: 'image_url', image_url: { url: dataUrl('image/png', PNG) } },
          ],
        },
      ],
    });
    expect(choices[0]?.message.content).toBe(
      [QUESTION, '[image 1]', seen('image-1.png', 'image/png', PNG)].join('\n\n'),
    );
  });

  it('attaches images of a message, what a tool has shown among them', async () => {
    const { content } = await anthropic.messages.create({
      model: 'svc-max',
      max_tokens: 1000,
      messages: [
        { role: 'user', content: [source('image/jpeg', JPEG), { type: 'text', text: QUESTION }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'look', input: {} }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'c', content: [source('image/png', PNG)] }],
        },
      ],
    });
    expect(content.at(-1)).toMatchObject({ type: 'text' });
    const record = site.sandbox.records.at(-1);
    expect(record?.promptTail).toBe(digest(PNG));
  });

  it('attaches an image of a response', async () => {
    const { output_text: text } = await openai.responses.create({
      model: 'svc-max',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_image', detail: 'auto', image_url: dataUrl('image/jpeg', JPEG) },
            { type: 'input_text', text: QUESTION },
          ],
        },
      ],
    });
    expect(text).toBe(['[image 1]', QUESTION, seen('image-1.jpeg', 'image/jpeg', JPEG)].join('\n\n'));
  });

  it('refuses an address, which no page could be given', async () => {
    const image_url = { url: 'https://example.com/cat.png' };
    await expect(
      openai.chat.completions.create({
        model: 'svc-max',
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url }] }],
      }),
    ).rejects.toMatchObject({
      status: 400,
      param: 'messages',
      message: expect.stringContaining('must hold its images as data URLs in base64'),
    });
  });
});

function dataUrl(type: string, base64: string): string {
  return `data:${type};base64,${base64}`;
}

function source(type: 'image/png' | 'image/jpeg', data: string): Anthropic.ImageBlockParam {
  return { type: 'image', source: { type: 'base64', media_type: type, data } };
}

/** What the site says of an image that it has got. */
function seen(name: string, type: string, base64: string): string {
  const { length } = Buffer.from(base64, 'base64');
  return `${name}: ${type}, ${length} bytes, SHA-256 ${digest(base64)}`;
}

function digest(base64: string): string {
  return createHash('sha256').update(Buffer.from(base64, 'base64')).digest('hex');
}
