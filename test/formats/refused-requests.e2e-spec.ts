import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StubGateway } from '../support/gateway/stub-gateway.js';
import { failed, streamError } from '../support/upstream/openai-stub-plans.js';

/** Words of the upstream that must not get to a caller. */
const SECRET = 'host-7';

const ASKED = [{ role: 'user', content: 'Hi' }];

const FORMATS = [
  {
    path: '/v1/chat/completions',
    body: { messages: ASKED, max_completion_tokens: 9, temperature: 1 },
    limit: 'max_completion_tokens',
  },
  {
    path: '/v1/responses',
    body: { input: 'Hi', max_output_tokens: 9, temperature: 1 },
    limit: 'max_output_tokens',
  },
  { path: '/v1/messages', body: { messages: ASKED, max_tokens: 9, temperature: 1 }, limit: 'max_tokens' },
  { path: '/v1/completions', body: { prompt: 'Hi', max_tokens: 9, temperature: 1 }, limit: 'max_tokens' },
];

const REFUSED = 'The upstream refused the request (status 400).';

describe.each(FORMATS)('a request to $path that an API refuses', ({ path, body, limit }) => {
  let gateway: StubGateway;

  beforeAll(async () => {
    gateway = await StubGateway.start();
  });
  afterAll(() => gateway.close());

  const hasParam = path !== '/v1/messages';

  it.each([
    ['a value out of range', { message: `temperature on ${SECRET} is at most 0.5` }, 'temperature'],
    ['a field by another name', { message: `max_tokens exceeds the limit of ${SECRET}` }, limit],
    ['a field that was not sent', { message: `logit_bias is not for ${SECRET}` }, null],
    ['no field', { message: SECRET }, null],
  ])('names of %s what the caller sent', async (_what, error, field) => {
    gateway.stub.answerWith(failed(400, error));
    const { status, headers, text } = await gateway.complete({ model: 'svc-max', ...body }, {}, path);
    expect([status, headers.get('x-gateway-reason')]).toEqual([400, 'upstream_refused']);
    const told = field === null ? REFUSED : `${REFUSED} Its complaint names \`${field}\`.`;
    expect(JSON.parse(text)).toMatchObject({
      error: { type: 'invalid_request_error', message: told, ...(hasParam && { param: field }) },
    });
    expect(text).not.toContain(SECRET);
    expect(gateway.lastEntry?.error).toMatchObject({ message: told, cause: expect.stringContaining(SECRET) });
  });

  it.each([
    [
      'a model',
      failed(404, { message: `The model m does not exist on ${SECRET}`, code: 'model_not_found' }),
      'The upstream has no model of this name, or does not let this gateway use it.',
      'model',
    ],
    [
      'a prompt',
      failed(400, { message: SECRET, code: 'content_filter' }),
      'A filter of the upstream refuses this prompt.',
      null,
    ],
    [
      'a prompt, within the answer',
      streamError({ message: SECRET, code: 'content_filter' }),
      'A filter of the upstream refuses this prompt.',
      null,
    ],
    [
      'the order of the messages',
      failed(500, { message: `roles must alternate on ${SECRET}` }),
      'The upstream rejects the messages in this order.',
      null,
    ],
  ])('says that %s is refused', async (_what, plan, message, param) => {
    gateway.stub.answerWith(plan);
    const { status, text } = await gateway.complete({ model: 'svc-max', ...body }, {}, path);
    expect([status, JSON.parse(text)]).toMatchObject([
      400,
      { error: { message, ...(hasParam && { param }) } },
    ]);
    expect(text).not.toContain(SECRET);
  });
});
