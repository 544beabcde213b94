import { describe, it } from '@jest/globals';
import { expectNamedFaults } from '../../../test/support/hostile/named-faults.js';
import { validBody } from '../../../test/support/hostile/request-arbitraries.js';
import { Settings } from '../../common/config/settings.js';
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

describe('toCompletionRequest', () => {
  it('accepts a valid request and names the invalid field of any other', () => {
    // 20,000 cases.
    expectNamedFaults(validBody, check, Object.keys(new CreateChatCompletionDto()), 2500);
  });
});
