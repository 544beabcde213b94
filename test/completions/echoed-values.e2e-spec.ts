import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import { answer, failed } from '../support/upstream/openai-stub-plans.js';

/** What the upstream repeats of one caller's request must change nothing for the others. */
let gateway: StubGateway;

beforeAll(async () => {
  gateway = await StubGateway.start({ UPSTREAM_API_KEYS: 'k1,k2,k3' });
  gateway.stub.answerWith((reply) => {
    const tier = reply.request.body.service_tier;
    const error = {
      message: `Invalid value: '${String(tier)}'. Supported values are: 'auto' and 'flex'.`,
      type: 'invalid_request_error',
      param: 'service_tier',
      code: 'invalid_value',
    };
    return tier === undefined ? answer()(reply) : failed(400, error)(reply);
  });
});
afterAll(() => gateway.close());

it.each(["x' invalid api key 'y", 'unsupported temperature top_p seed max_tokens', 'stream_options'])(
  'takes nothing from an upstream that repeats %j',
  async (tier) => {
    const asked = { ...ASK, temperature: 0.1, top_p: 0.5, seed: 5, max_tokens: 9 };
    await gateway.complete(asked);
    const before = gateway.stub.requests.at(-1)?.body;
    gateway.stub.requests.length = 0;
    expect(await gateway.complete({ ...asked, service_tier: tier })).toMatchObject({ status: 400 });
    expect(gateway.stub.requests).toHaveLength(1);
    expect(await gateway.complete(asked)).toMatchObject({ status: 200 });
    expect(gateway.stub.requests.at(-1)?.body).toEqual(before);
  },
);
