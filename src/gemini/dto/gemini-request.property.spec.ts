import { describe, it } from '@jest/globals';
import fc from 'fast-check';
import { expectNamedFaults } from '../../../test/support/hostile/named-faults.js';
import { refuseLoneSearch } from '../../chat/omissions.js';
import { Settings } from '../../common/config/settings.js';
import { ValidationPipe } from '../../common/http/body/validation.pipe.js';
import { ModelCatalog } from '../../models/model-catalog.js';
import { GenerateContentDto } from './gemini-bodies.dto.js';
import { toGeminiRequest } from './gemini-request.factory.js';
import { LOOKS_UP } from './gemini-tools.js';

const settings = new Settings();
const catalog = new ModelCatalog(settings);
const pipe = new ValidationPipe();

function check(body: object): void {
  const dto = pipe.transform(body, { type: 'body', metatype: GenerateContentDto }) as GenerateContentDto;
  const call = { model: 'svc-max', stream: true };
  refuseLoneSearch(
    toGeminiRequest(dto, call, (id) => catalog.get(id), settings),
    LOOKS_UP,
  );
}

const text = fc.string({ maxLength: 5 });
const name = fc.constantFrom('read', 'write');
const schema = fc.constantFrom(
  { type: 'OBJECT', properties: { a: { type: 'STRING', nullable: true } }, required: ['a'] },
  {
    anyOf: [
      { type: 'ARRAY', items: { type: 'NUMBER' }, minItems: '1' },
      { type: 'STRING', enum: ['A'] },
    ],
  },
);
const inlineData = fc.record({
  mimeType: fc.constantFrom('text/plain', 'application/json', 'text/csv; charset=latin1'),
  data: fc.constantFrom('YTti', 'e30='),
});
const args = fc.dictionary(text, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 });
const said = fc.oneof(fc.record({ text }), fc.record({ inlineData }));
const response = fc.record({
  functionResponse: fc.record({ name, response: args, parts: fc.array(said, { maxLength: 1 }) }),
});
const content = fc.oneof(
  fc.record({
    role: fc.constant('user'),
    parts: fc.array(fc.oneof(said, response), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    role: fc.constant('model'),
    parts: fc.array(
      fc.oneof(
        fc.record({ text, thought: fc.boolean() }),
        fc.record({ functionCall: fc.record({ name, args }), thoughtSignature: fc.base64String() }),
      ),
      { maxLength: 3 },
    ),
  }),
);
const body = fc.record({
  contents: fc.array(content, { minLength: 1, maxLength: 3 }),
  systemInstruction: fc.oneof(text, fc.record({ parts: fc.array(fc.record({ text }), { maxLength: 2 }) })),
  tools: fc.constantFrom(
    [],
    [
      { functionDeclarations: [{ name: 'read', parameters: { type: 'OBJECT' } }, { name: 'write' }] },
      { codeExecution: {} },
    ],
  ),
  toolConfig: fc.record({
    functionCallingConfig: fc.record({ mode: fc.constantFrom('AUTO', 'NONE', 'VALIDATED') }),
  }),
  generationConfig: fc.record({
    temperature: fc.double({ min: 0, max: 2, noNaN: true }),
    maxOutputTokens: fc.integer({ min: 1 }),
    stopSequences: fc.array(fc.string({ minLength: 1, maxLength: 3 }), { maxLength: 3 }),
    responseMimeType: fc.constantFrom('application/json', 'text/plain'),
    responseSchema: schema,
    thinkingConfig: fc.record({
      thinkingBudget: fc.integer({ min: -1, max: 9000 }),
      includeThoughts: fc.boolean(),
    }),
  }),
});

describe('toGeminiRequest', () => {
  it('accepts a valid request and names the invalid field of any other', () => {
    expectNamedFaults(body, check, Object.keys(new GenerateContentDto()), 1000);
  });
});
