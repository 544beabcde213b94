import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import { type StubReply } from '../support/upstream/openai-stub.js';
import { answer, failed } from '../support/upstream/openai-stub-plans.js';

let gateway: StubGateway;

beforeEach(async () => {
  gateway = await StubGateway.start({ UPSTREAM_API_KEYS: 'k1,k2' });
});

afterEach(() => gateway.close());

/** Status of the answer to messages of the user. */
async function statusOf(contents: readonly (string | object[])[], fields: object = {}): Promise<number> {
  const messages = contents.map((content) => ({ role: 'user', content }));
  return (await gateway.complete({ ...ASK, messages, ...fields })).status;
}

/** Answers what does not hold some words, and refuses the rest. */
function refuse(words: string, refusal: (reply: StubReply) => ReturnType<typeof failed>): void {
  gateway.stub.answerWith((reply) =>
    JSON.stringify(reply.request.body).includes(words) ? refusal(reply)(reply) : answer()(reply),
  );
}

describe('a request that the upstream refuses', () => {
  it('leaves the accounts to other callers where a firewall forbids it', async () => {
    refuse('<script>', () => failed(403, { message: 'Sorry, you have been blocked.' }));
    // As an SDK tries it, and an agent goes on.
    for (const later of [[], [], [], ['And now?'], ['Well?']]) {
      expect(await statusOf(['<script>', ...later])).toBe(500);
    }
    expect(await statusOf(['Hi'])).toBe(200);
  });

  it('leaves the model to other callers where it fails at one conversation each time', async () => {
    refuse('[bad]', () => failed(500, { message: 'Failed to parse grammar.' }));
    for (const later of [[], [], [], ['And now?']]) {
      expect(await statusOf(['[bad]', ...later])).toBe(500);
    }
    expect(await statusOf(['Hi'])).toBe(200);
  });

  it('leaves pictures to other callers where its own cannot be fetched', async () => {
    refuse('.example/', ({ request }) => {
      const url = /"url":"([^"]*)"/.exec(JSON.stringify(request.body))?.[1];
      return failed(400, { message: `Error while downloading ${url}.` });
    });
    const picture = (url: string): object[] => [{ type: 'image_url', image_url: { url } }];
    expect(await statusOf([picture('https://pictures.example/text-only'), 'What is it?'])).toBe(400);
    expect(await statusOf([picture('data:image/png;base64,AAAA')])).toBe(200);
  });

  it('says nothing of the context window in its own words', async () => {
    const type = "' maximum context length is 300 tokens";
    refuse(type, () => failed(400, { message: `Invalid schema: '${type}' is not a type.` }));
    const tools = [{ type: 'function', function: { name: 'read', parameters: { type } } }];
    expect(await statusOf(['Hi'], { tools })).toBe(400);
    const list = await fetch(`${gateway.origin}/v1/models/svc-max`);
    expect(await list.json()).toMatchObject({ context_window: 1_000_000 });
  });
});
