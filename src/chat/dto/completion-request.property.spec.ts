import { describe, it } from '@jest/globals';
import fc from 'fast-check';
import { damage, validBody, withDamage } from '../../../test/support/hostile/request-arbitraries.js';
import { Settings } from '../../common/config/settings.js';
import { InvalidRequestError, ModelNotFoundError } from '../../common/errors/gateway.errors.js';
import { ValidationPipe } from '../../common/http/body/validation.pipe.js';
import { ModelCatalog } from '../../models/model-catalog.js';
import { toCompletionRequest } from './completion-request.factory.js';
import { CreateChatCompletionDto } from './create-chat-completion.dto.js';

const settings = new Settings();
const catalog = new ModelCatalog(settings);
const pipe = new ValidationPipe();

function check(body: object): void {
  const dto = pipe.transform(body, { type: 'body', metatype: CreateChatCompletionDto });
  toCompletionRequest(dto as CreateChatCompletionDto, (id) => catalog.get(id), settings, true);
}

/** Each request is tried intact and damaged in seven ways: 20,000 cases. */
const RUNS = 2500;
const DAMAGES = 7;

describe('toCompletionRequest', () => {
  it('accepts a valid request and names the invalid field of any other', () => {
    const fields = new Set(Object.keys(new CreateChatCompletionDto()));
    const damages = fc.array(damage, { minLength: DAMAGES, maxLength: DAMAGES });
    fc.assert(
      fc.property(validBody, damages, (body, all) => {
        check(body);
        for (const one of all) {
          withDamage(body, one, () => expectNamedFault(() => check(body), fields));
        }
      }),
      { numRuns: RUNS },
    );
  });
});

function expectNamedFault(act: () => void, fields: ReadonlySet<string>): void {
  try {
    act();
  } catch (error) {
    const isKnown = error instanceof InvalidRequestError || error instanceof ModelNotFoundError;
    const param = isKnown ? (error.param ?? '') : '';
    const field = /^\w+/.exec(param)?.[0] ?? '';
    const isNamed = error instanceof ModelNotFoundError || (error as Error).message.startsWith(`${param} `);
    if (!isKnown || !fields.has(field) || !isNamed) {
      throw error;
    }
  }
}
