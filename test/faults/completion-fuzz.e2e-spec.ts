import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toCompletionRequest, wantsUsage } from '../../src/chat/dto/completion-request.factory.js';
import { CreateChatCompletionDto } from '../../src/chat/dto/create-chat-completion.dto.js';
import { Settings } from '../../src/common/config/settings.js';
import { ERROR_CATALOG } from '../../src/common/errors/error-catalog.js';
import { toErrorEnvelope } from '../../src/common/errors/error-envelope.js';
import { type GatewayError } from '../../src/common/errors/gateway.errors.js';
import { ValidationPipe } from '../../src/common/http/body/validation.pipe.js';
import { ModelCatalog } from '../../src/models/model-catalog.js';
import { StubGateway } from '../support/gateway/stub-gateway.js';
import { damage, validBody, withDamage } from '../support/hostile/request-arbitraries.js';
import { answer } from '../support/upstream/openai-stub-plans.js';
import { processPace } from '../support/watch/machine-pace.js';

const BODIES = 500;
const DAMAGES = 3;
/** Longest time to one answer. */
const ANSWER_MS = 1000;

let gateway: StubGateway;

beforeAll(async () => {
  gateway = await StubGateway.start();
  gateway.stub.answerWith(answer({ pieces: ['Hi'] }));
});

afterAll(() => gateway.close());

const settings = new Settings();
const catalog = new ModelCatalog(settings);
const pipe = new ValidationPipe();

/** The error by which the validation, asked in process, refuses a request; undefined if it accepts it. */
function refusalOf(json: string): GatewayError | undefined {
  try {
    const body: unknown = JSON.parse(json);
    const dto = pipe.transform(body, {
      type: 'body',
      metatype: CreateChatCompletionDto,
    }) as CreateChatCompletionDto;
    toCompletionRequest(dto, (id) => catalog.get(id), settings, true);
    wantsUsage(dto);
    return undefined;
  } catch (error) {
    return error as GatewayError;
  }
}

async function send(json: string): Promise<void> {
  const began = performance.now();
  const { status, text } = await gateway.complete(json);
  const tookMs = performance.now() - began;
  const refusal = refusalOf(json);
  const isRight = refusal
    ? status === ERROR_CATALOG[refusal.code].status && text === JSON.stringify(toErrorEnvelope(refusal))
    : status === 200 && /"finish_reason":"(stop|length)"/.test(text);
  await processPace.expectWithin(tookMs, ANSWER_MS);
  if (!isRight) {
    throw new Error(`${status} after ${tookMs} ms: ${text}`);
  }
}

test('POST /v1/chat/completions answers or refuses 2,000 valid and damaged requests as the validation says', async () => {
  const damages = fc.array(damage, { minLength: DAMAGES, maxLength: DAMAGES });
  await fc.assert(
    fc.asyncProperty(validBody, damages, async (body, all) => {
      const texts = [body, ...all.map((one) => withDamage(body, one, () => structuredClone(body)))];
      await Promise.all(texts.map((one) => send(JSON.stringify(one))));
    }),
    { numRuns: BODIES },
  );
  expect(gateway.stub.requests.length).toBeGreaterThan(BODIES);
  expect(gateway.pool.stats()).toMatchObject({ leases: 0, waiting: 0 });
});
