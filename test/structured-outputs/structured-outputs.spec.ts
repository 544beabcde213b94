import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { CompletionPipeline } from '../../src/chat/completion/completion-pipeline.js';
import { Tokenizer } from '../../src/chat/completion/tokens/tokenizer.js';
import { type CompletionRequest, type ResponseFormat } from '../../src/chat/interfaces/completion-request.js';
import { StructuredOutputGuard } from '../../src/chat/structured/structured-output-guard.js';
import { AnswerRecorder, inPieces } from '../support/watch/delta-recorder.js';
import { IN_REACH, type ModelText, OUT_OF_REACH } from './model-texts.js';
import { type SchemaCase, schemaCases } from './schema-cases.js';

const SCHEMAS = 200;
/** Pieces of one character are tried on answers of up to so many. */
const SHORT = 2000;

const tokenizer = new Tokenizer();

/** A validator that shares no code with the gateway's. */
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

const request: CompletionRequest = {
  model: { id: 'm', contextWindow: 1e9, maxOutputTokens: 1e9, thinking: false, upstreamModel: 'm' },
  messages: [],
  stream: true,
  thinking: false,
  params: { temperature: 1, topP: 1, maxTokens: 1e9, stop: [] },
  tools: [],
  toolChoice: 'auto',
  parallelToolCalls: true,
  responseFormat: { type: 'text' },
  fieldNames: { messages: 'messages', schema: 'schema' },
};

/** Answer to a caller; undefined for an error. Pieces are `size` characters long, or as long as the answer for 0. */
function answerTo(schema: object, answers: readonly string[], size: number): string | undefined {
  const format: ResponseFormat = { type: 'json_schema', json_schema: { schema, strict: true } };
  const guard = StructuredOutputGuard.of(format, 'schema')!;
  const sink = new AnswerRecorder();
  for (const answer of answers) {
    const pipeline = new CompletionPipeline(request, tokenizer, sink, [guard]);
    for (const text of inPieces(answer, size || answer.length || 1)) {
      pipeline.push([{ type: 'text', text }]);
    }
    pipeline.push([{ type: 'done', reason: 'stop' }]);
    if (pipeline.rejection === undefined) {
      return sink.answer.text;
    }
    if (pipeline.rejection.action !== 'ask_again') {
      return undefined;
    }
  }
  return undefined;
}

/** Share of valid answers, the invalid ones that are sent, and the number of all. */
function score(cases: readonly SchemaCase[], text: ModelText, again: ModelText) {
  let total = 0;
  let valid = 0;
  const wrong: string[] = [];
  for (const { schema, value } of cases) {
    const isValid = ajv.compile(schema);
    expect(isValid(value)).toBe(true);
    const first = text.write(value);
    if (first === undefined) {
      continue;
    }
    for (const size of [0, 1, 7, 100]) {
      if (size === 1 && first.length > SHORT) {
        continue;
      }
      total++;
      const sent = answerTo(schema, [first, again.write(value) ?? ''], size);
      if (sent !== undefined && isValid(JSON.parse(sent))) {
        valid++;
      } else if (sent !== undefined) {
        wrong.push(`${JSON.stringify(schema)} ${sent}`);
      }
    }
  }
  return { share: valid / total, wrong, total };
}

describe('structured outputs', () => {
  const cases = schemaCases(SCHEMAS);
  const fenced = IN_REACH[2]!;

  it('has schemas of every kind', () => {
    const all = JSON.stringify(cases.map(({ schema }) => schema));
    const keywords = [
      '"enum"',
      '"anyOf"',
      '"$ref"',
      '"format"',
      '"items"',
      '"pattern"',
      '"minimum"',
      '"const"',
    ];
    expect(keywords.filter((keyword) => !all.includes(keyword))).toEqual([]);
    expect(cases.some(({ value }) => JSON.stringify(value).length > 2 * SHORT)).toBe(true);
  });

  it.each(IN_REACH.map((text) => [text.name, text] as const))('are valid from a value %s', (_name, text) => {
    const { share, wrong, total } = score(cases, text, fenced);
    expect(wrong).toEqual([]);
    expect(total).toBeGreaterThan(SCHEMAS * 3);
    expect(share).toBeGreaterThanOrEqual(0.99);
  });

  it.each(OUT_OF_REACH.map((text) => [text.name, text] as const))(
    'are valid from the second answer where the first one is %s',
    (_name, text) => {
      const { share, wrong } = score(cases, text, fenced);
      expect(wrong).toEqual([]);
      expect(share).toBeGreaterThanOrEqual(0.99);
    },
  );

  it.each(OUT_OF_REACH.map((text) => [text.name, text] as const))(
    'are never invalid where both answers are %s',
    (_name, text) => {
      expect(score(cases, text, text).wrong).toEqual([]);
    },
  );

  it('keep the value that the model wrote', () => {
    for (const { schema, value } of cases) {
      for (const text of IN_REACH.slice(0, 6)) {
        const answer = text.write(value)!;
        expect(JSON.parse(answerTo(schema, [answer], 7) ?? 'null')).toEqual(
          JSON.parse(JSON.stringify(value)),
        );
      }
    }
  });
});
