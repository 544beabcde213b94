import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StubGateway } from '../support/gateway/stub-gateway.js';
import { type StubPlan } from '../support/upstream/openai-stub.js';
import { answer, chunk, failed } from '../support/upstream/openai-stub-plans.js';

const DATA = 'iVBORw0KGgo=';
const URL_OF_DATA = `data:image/png;base64,${DATA}`;
const NOTES = Buffer.from('Milk, grüner Tee.').toString('base64');
const URL_OF_NOTES = `data:text/plain;base64,${NOTES}`;
const PICTURE = { type: 'image_url', image_url: { url: URL_OF_DATA } };
const NOTE = '[image left out: this upstream takes text only]';

/** A model that takes text only, and says so. */
const refusesPictures: StubPlan = (reply) =>
  (JSON.stringify(reply.request.body).includes(DATA)
    ? failed(404, { message: 'No endpoints found that support image input' })
    : answer())(reply);

/** One picture and one file of text in the three formats, each with the path of its endpoint. */
const ENDPOINTS = [
  {
    path: '/v1/chat/completions',
    field: 'messages',
    image: PICTURE,
    file: { type: 'file', file: { filename: 'notes.txt', file_data: URL_OF_NOTES } },
    text: 'text',
    also: {},
  },
  {
    path: '/v1/messages',
    field: 'messages',
    image: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: DATA } },
    file: {
      type: 'document',
      title: 'notes.txt',
      source: { type: 'base64', media_type: 'text/plain', data: NOTES },
    },
    text: 'text',
    also: { max_tokens: 9 },
  },
  {
    path: '/v1/responses',
    field: 'input',
    image: { type: 'input_image', image_url: URL_OF_DATA },
    file: { type: 'input_file', filename: 'notes.txt', file_data: URL_OF_NOTES },
    text: 'input_text',
    also: {},
  },
];

describe.each(ENDPOINTS)('a picture at $path', ({ path, field, image, file, text, also }) => {
  let gateway: StubGateway;

  beforeAll(async () => {
    gateway = await StubGateway.start();
  });
  beforeEach(() => {
    gateway.settings.models = undefined;
    gateway.stub.requests.length = 0;
    gateway.stub.answerWith(answer());
  });
  afterAll(() => gateway.close());

  const words = (value: string): object => ({ type: text, text: value });
  const asked = (...content: object[]): object => ({ role: 'user', content });
  const said = (content: string): object => ({ role: 'assistant', content });
  const ask = (model: string, ...messages: object[]) =>
    gateway.complete({ model, stream: false, [field]: messages, ...also }, {}, path);
  const sent = (): unknown => gateway.stub.requests[0]?.body.messages;
  const useTextModel = (): void => {
    const size = { contextWindow: 9000, maxOutputTokens: 90, thinking: false };
    gateway.settings.models = { blind: { ...size, modalities: ['text'] } };
  };

  it('reaches an upstream of the format as it is', async () => {
    const { status } = await ask('svc-max', asked(words('Look.'), image));
    expect([status, sent()]).toEqual([
      200,
      [{ role: 'user', content: [{ type: 'text', text: 'Look.' }, PICTURE] }],
    ]);
  });

  it('is no file of text, which any model gets as text', async () => {
    useTextModel();
    const statuses = [];
    for (const model of ['blind', 'svc-max']) {
      gateway.settings.models = model === 'blind' ? gateway.settings.models : undefined;
      statuses.push((await ask(model, asked(file, words('Sum up.')))).status);
    }
    expect(statuses).toEqual([200, 200]);
    for (const { body } of gateway.stub.requests) {
      expect(JSON.stringify(body.messages)).toMatch(/notes\.txt\\nMilk, grüner Tee\..*Sum up\./);
      expect(JSON.stringify(body.messages)).not.toContain(NOTES);
    }
  });

  it('becomes a note in an older message for a model that reads text only', async () => {
    useTextModel();
    const { status } = await ask('blind', asked(image), asked(words('And now?')));
    const [older, newest] = sent() as readonly { readonly content: unknown }[];
    expect(status).toBe(200);
    expect(JSON.stringify(older)).toContain(NOTE);
    expect(JSON.stringify(newest)).toContain('And now?');
  });

  describe('over an upstream that refuses it', () => {
    const asText = (): string[] => gateway.stub.requests.map(({ body }) => JSON.stringify(body.messages));

    beforeEach(() => {
      const size = { contextWindow: 9000, maxOutputTokens: 90, thinking: false };
      gateway.settings.models = { remembered: size, 'asked-anew': size, other: size };
      gateway.stub.answerWith(refusesPictures);
    });

    it('is left out of older messages at the second try, and at the first from then on', async () => {
      const history = [asked(words('Look.'), image), said('I see.'), asked(words('And now?'))];
      const turns = [await ask('remembered', ...history), await ask('remembered', ...history)];
      expect(turns.map(({ status }) => status)).toEqual([200, 200]);
      expect(asText().map((body) => [body.includes(DATA), body.includes(NOTE)])).toEqual([
        [true, false],
        [false, true],
        [false, true],
      ]);
      const entry = gateway.entries.find(({ model }) => model === 'remembered');
      expect(entry?.attempts?.map(({ outcome }) => outcome)).toEqual(['text_only', 'ok']);
    });

    it('is not left out behind a part of an answer, which another would be joined to', async () => {
      gateway.stub.answerWith(async (reply) => {
        await reply.event(chunk({ role: 'assistant', content: 'I see' }));
        await reply.event({ error: { message: 'No endpoints found that support image input' } });
        reply.end();
      });
      const history = [asked(words('Look.'), image), said('I see.'), asked(words('And now?'))];
      const { status, text: body } = await ask('other', ...history);
      expect([status, gateway.stub.requests.length]).toEqual([400, 1]);
      expect(body).not.toContain('I see');
    });

    it('is refused in the newest message of the user, with the reason', async () => {
      const { status, headers, text: body } = await ask('asked-anew', asked(words('Look.'), image));
      expect([status, headers.get('x-gateway-reason')]).toEqual([400, 'invalid_request']);
      expect(body).toContain(
        `"${field} must hold text alone in the newest message of the user: this upstream takes text only`,
      );
      expect(gateway.stub.requests).toHaveLength(1);
      // Nothing is proved by that.
      await ask('asked-anew', asked(words('Look.'), image));
      expect(gateway.stub.requests).toHaveLength(2);
    });

    it('is told of with the words of a refusal that is about something else', async () => {
      gateway.stub.answerWith(failed(400, { message: 'Invalid base64 image_url.' }));
      const { status, text: body } = await ask('other', asked(image), said('Hm.'), asked(words('And?')));
      expect([status, gateway.stub.requests.length]).toEqual([400, 1]);
      expect(body).toContain('The upstream refused the request (status 400).');
    });
  });

  it('is refused in the newest message of the user for such a model', async () => {
    useTextModel();
    const { status, text: body } = await ask('blind', asked(words('Look.'), image));
    expect([status, gateway.stub.requests]).toEqual([400, []]);
    expect(JSON.parse(body)).toMatchObject({
      error: {
        type: 'invalid_request_error',
        message: expect.stringMatching(
          new RegExp(`^${field}\\[0\\]\\.content\\[1\\] must be a text .*: this upstream takes text only`),
        ),
      },
    });
  });
});

it('reaches a model from the result of a tool at /v1/chat/completions as a picture of the user', async () => {
  const gateway = await StubGateway.start();
  try {
    gateway.stub.answerWith((reply) => {
      const messages = reply.request.body.messages as readonly { role: string; content: unknown }[];
      const isRefused = messages.some(({ role, content }) => role !== 'user' && Array.isArray(content));
      const error = { message: "Image URLs are only allowed for messages with role 'user'" };
      return isRefused ? failed(400, error)(reply) : answer()(reply);
    });
    const calls = [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }];
    const messages = [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: null, tool_calls: calls },
      { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'Done.' }, PICTURE] },
    ];
    expect(await gateway.complete({ model: 'svc-max', stream: false, messages })).toMatchObject({
      status: 200,
    });
    const sent = gateway.stub.requests[0]?.body.messages as readonly object[];
    expect(sent.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: 'Done.\n\n[image: shown after the results]' },
      { role: 'user', content: [PICTURE] },
    ]);
  } finally {
    await gateway.close();
  }
});
