import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OpenAiDriverRig, text } from '../support/upstream/openai-driver-rig.js';
import { type StubPlan } from '../support/upstream/openai-stub.js';
import { chunk } from '../support/upstream/openai-stub-plans.js';

const LIMIT = 64 * 2 ** 10;

/** Says one word, then sends the same bytes until the client leaves. */
function fills(filler: string, contentType = 'text/event-stream'): StubPlan {
  const block = filler.repeat(Math.ceil(4096 / filler.length));
  return async (reply) => {
    reply.head(200, { 'content-type': contentType });
    if (contentType === 'text/event-stream') {
      await reply.event(chunk({ content: 'word' }));
    }
    while (!reply.isClientGone) {
      await reply.raw(block);
    }
  };
}

describe('an upstream that sends bytes and no answer', () => {
  let rig: OpenAiDriverRig;

  beforeEach(async () => {
    rig = await OpenAiDriverRig.start({ UPSTREAM_FILLER_BYTES: LIMIT });
  });
  afterEach(() => rig.close());

  it.each([
    ['comments', ': thinking\n\n'],
    ['blank lines', '\n'],
    ['unknown fields', 'id: 1\nretry: 5\n\n'],
    ['half a line', 'x'],
    ['empty chunks', `data: ${JSON.stringify(chunk({ content: '' }))}\n\n`],
    ['usage alone', 'data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1}}\n\n'],
  ])('%s: is ended at the limit', async (_what, filler) => {
    const { events, error } = await rig.outcomeOf(fills(filler));
    expect(error).toMatchObject({ name: 'UnavailableError', fault: 'no_progress' });
    expect(events.filter(({ type }) => type === 'text')).toEqual([text('word')]);
    const [request] = rig.stub.requests;
    await rig.stub.waitFor(({ abortedAt }) => abortedAt !== undefined);
    expect(request?.bytesWritten()).toBeLessThan(LIMIT + 2 ** 23);
  });

  it('white space in place of JSON: is ended at the limit', async () => {
    const { error } = await rig.outcomeOf(fills(' ', 'application/json'));
    expect(error).toMatchObject({ name: 'UnavailableError', fault: 'no_progress' });
  });

  it('counts no bytes that bring an answer', async () => {
    const piece = 'y'.repeat(1000);
    const { events, error } = await rig.outcomeOf(async (reply) => {
      for (let index = 0; index < 200; index++) {
        await reply.event(chunk({ content: piece }));
      }
      await reply.event(chunk({}, 'stop'));
      await reply.event('[DONE]');
      reply.end();
    });
    expect(error).toBeUndefined();
    const whole = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
    expect(whole).toBe(piece.repeat(200));
  });
});
