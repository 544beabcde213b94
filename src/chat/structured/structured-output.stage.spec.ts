import { describe, expect, it } from '@jest/globals';
import { cpuMs, expectCostRatio } from '../../../test/support/watch/cpu-time.js';
import { DeltaRecorder, type Piece } from '../../../test/support/watch/delta-recorder.js';
import { type JsonObject } from '../../common/text/json-object.js';
import { type FinishReason } from '../../upstream/upstream-driver.js';
import { Answer } from '../completion/answer.js';
import { type Fault, type Rejection } from '../completion/guard.js';
import { type ResponseFormat } from '../interfaces/completion-request.js';
import { type StructuredOutputStage } from './structured-output.stage.js';
import { StructuredOutputGuard } from './structured-output-guard.js';

const PERSON = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    age: { type: 'integer', minimum: 0 },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['name', 'age'],
  additionalProperties: false,
};

function formatOf(schema: object, strict?: boolean): ResponseFormat {
  return { type: 'json_schema', json_schema: { schema, ...(strict !== undefined && { strict }) } };
}

interface Outcome {
  readonly texts: readonly string[];
  /** Part of the texts. */
  readonly refusal: string;
  readonly rejections: readonly Rejection[];
  readonly passed: readonly Fault[];
  /** Reasons to end the answer with, instead of the upstream's. */
  readonly ends: readonly FinishReason[];
}

/** Outcome of a model's answers, each in pieces, as long as it is asked again. */
function play(
  format: ResponseFormat,
  answers: readonly (readonly string[])[],
  reason: FinishReason = 'stop',
): Outcome {
  const guard = StructuredOutputGuard.of(format, 'the.schema')!;
  const sink = new DeltaRecorder();
  const rejections: Rejection[] = [];
  const passed: Fault[] = [];
  const ends: FinishReason[] = [];
  for (const pieces of answers) {
    const before = rejections.length;
    const stage = guard.stage(sink, {
      isCommitted: () => false,
      end: (early) => ends.push(early),
      reject: (rejection) => rejections.push(rejection),
      pass: (fault) => passed.push(fault),
      noteDroppedCalls: () => undefined,
      settle: () => new Answer(),
    });
    for (const piece of pieces) {
      stage.text(piece);
    }
    if (rejections.length === before) {
      stage.flush(reason);
    }
    if (rejections.at(-1)?.action !== 'ask_again' || rejections.length === before) {
      break;
    }
  }
  return {
    texts: sink.pieces.map(([, text]) => text as string),
    refusal: sink.joined('refusal'),
    rejections,
    passed,
    ends,
  };
}

/** A schema that wraps a plain one so many times. */
function nested(levels: number, wrap: (inner: JsonObject, level: number) => JsonObject): JsonObject {
  return Array.from({ length: levels }).reduce<JsonObject>((inner, _, level) => wrap(inner, level), {});
}

const joined = ({ texts }: Outcome): string => texts.join('');

/** A stage whose answer must not be rejected. */
function unrejected(): { readonly sink: DeltaRecorder; readonly stage: StructuredOutputStage } {
  const sink = new DeltaRecorder();
  const guard = StructuredOutputGuard.of(formatOf(PERSON, true), 'the.schema')!;
  const stage = guard.stage(sink, {
    isCommitted: () => false,
    end: () => undefined,
    reject: () => expect(undefined).toBe('no rejection'),
    pass: () => undefined,
    noteDroppedCalls: () => undefined,
    settle: () => new Answer(),
  });
  return { sink, stage };
}

describe('StructuredOutputStage behind its guard', () => {
  it.each<[string, JsonObject | 'json_object', string, string]>([
    ['sound JSON, byte for byte', PERSON, '{ "name": "Ann",\n  "age": 4 }', '{ "name": "Ann",\n  "age": 4 }'],
    ['an empty object', { type: 'object' }, '{ }', '{ }'],
    ['any object', 'json_object', '{"a":[1,{"b":null}]}', '{"a":[1,{"b":null}]}'],
    ['a fence', PERSON, '```json\n{"name":"Ann","age":4}\n```', '{"name":"Ann","age":4}'],
    [
      'prose around it',
      PERSON,
      'Here you are: {"name":"Ann","age":4}\nHope it helps!',
      '{"name":"Ann","age":4}',
    ],
    ['prose with braces', PERSON, 'Fill {name}: {"name":"Ann","age":4}', '{"name":"Ann","age":4}'],
    ['a missing comma', PERSON, '{"name":"Ann"\n"age":4}', '{"name":"Ann","age":4}'],
    ['a trailing comma', PERSON, '{"name":"Ann","age":4,}', '{"name":"Ann","age":4}'],
    ['single quotes', PERSON, "{'name':'Ann','age':4}", '{"name":"Ann","age":4}'],
    ['a number as text', PERSON, '{"name":"Ann","age":"4"}', '{"name":"Ann","age":4}'],
    [
      'one item without its list',
      PERSON,
      '{"name":"Ann","age":4,"tags":"x"}',
      '{"name":"Ann","age":4,"tags":["x"]}',
    ],
    ['a list', { type: 'array', items: { type: 'integer' } }, 'Sure:\n[1, 2]', '[1, 2]'],
    ['prose with brackets', { type: 'array' }, 'The list [as asked], see {this}:\n[[], {}]', '[[], {}]'],
    ['a number', { type: 'integer' }, ' 42\n', '42'],
    [
      'a root that is a reference',
      {
        $ref: '#/$defs/Node',
        $defs: { Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } } },
      },
      '{"next":{"next":{}}}',
      '{"next":{"next":{}}}',
    ],
    [
      'alternatives',
      { anyOf: [PERSON, { type: 'object', properties: { error: { type: 'string' } }, required: ['error'] }] },
      '```\n{"error":"none"}\n```',
      '{"error":"none"}',
    ],
    ['a number that ends the answer', { type: 'number' }, '0.75', '0.75'],
    ['a number of a list', { enum: [1, 2, 3] }, '2', '2'],
  ])('lets %s through, at every split', (_what, schema, answer, expected) => {
    const format: ResponseFormat = schema === 'json_object' ? { type: schema } : formatOf(schema, true);
    for (let at = 0; at <= answer.length; at++) {
      const pieces = [answer.slice(0, at), answer.slice(at)].filter((piece) => piece !== '');
      const outcome = play(format, [pieces]);
      expect({ at, text: joined(outcome), rejections: outcome.rejections }).toEqual({
        at,
        text: expected,
        rejections: [],
      });
    }
    expect(joined(play(format, [[...answer]]))).toBe(expected);
  });

  it('lets each member through once it is complete', () => {
    const { texts } = play(formatOf(PERSON), [['{"name":"Ann",', ' "age":4', ',"tags":["x"', ',"y"]', '}']]);
    expect(texts).toEqual(['{"name":"Ann"', ', "age":4', ',"tags":["x","y"]', '}']);
  });

  it.each<[string, JsonObject, string, string]>([
    ['no JSON', PERSON, 'Ann is four.', 'The answer holds no JSON value.'],
    ['nothing', PERSON, '', 'The answer holds no JSON value.'],
    ['a missing member', PERSON, '{"name":"Ann"}', 'Instance does not have required property "age".'],
    [
      'another member',
      PERSON,
      '{"name":"Ann","age":4,"x":1}',
      'The member "x" is not declared, and no others are allowed.',
    ],
    ['a number below its bound', PERSON, '{"name":"Ann","age":-1}', 'age: -1 is less than 0.'],
    ['a short text', PERSON, '{"name":"","age":4}', 'name: String is too short (0 < 1).'],
    [
      'a wrong kind',
      PERSON,
      '{"name":"Ann","age":"four"}',
      'age: Instance type "string" is invalid. Expected "integer".',
    ],
    [
      'a wrong item',
      PERSON,
      '{"name":"Ann","age":4,"tags":[1,null]}',
      'tags[1]: Instance type "null" is invalid. Expected "string".',
    ],
    ['an end within a member', PERSON, '{"name":"Ann","tags":["x"', 'The JSON is cut off.'],
    ['an end within a text', PERSON, '{"name":"An', 'The JSON is cut off.'],
    ['a member twice', PERSON, '{"name":"Ann","name":"Bob","age":4}', 'The member "name" occurs twice.'],
    [
      'a wrong format',
      { type: 'object', properties: { at: { format: 'date' } } },
      '{"at":"today"}',
      'at: String does not match format "date".',
    ],
    [
      'a text against its pattern',
      { type: 'object', properties: { id: { pattern: '^x-' } } },
      '{"id":"y-1"}',
      'id: String does not match pattern.',
    ],
  ])('asks again after %s', (_what, schema, answer, detail) => {
    const good = JSON.stringify({ name: 'Bob', age: 5 });
    const { rejections } = play(formatOf(schema, true), [[answer], [good]]);
    expect(rejections).toEqual([
      {
        cause: 'structured_output',
        action: 'ask_again',
        detail,
        correction: {
          instruction: expect.stringContaining(`${detail}\n\nWrite the whole answer again`),
          rejected: answer === '' ? undefined : answer,
        },
      },
    ]);
  });

  it('keeps the members that have passed when the model is asked again', () => {
    const outcome = play(formatOf(PERSON, true), [
      ['{"name":"Ann","age":-1}'],
      ['```json\n{"name":"Anna", "age": 4, "tags": ["x"]}\n```'],
    ]);
    expect(joined(outcome)).toBe('{"name":"Ann", "age": 4, "tags": ["x"]}');
    expect(outcome.rejections).toHaveLength(1);
  });

  it('fails after a second answer that does not conform, if the schema is strict', () => {
    const { texts, rejections, passed } = play(formatOf(PERSON, true), [['no'], ['no, really']]);
    expect(texts).toEqual([]);
    expect(rejections.map(({ action }) => action)).toEqual(['ask_again', 'fail']);
    expect(passed).toEqual([]);
  });

  it.each<[string, ResponseFormat]>([
    ['a schema that is not strict', formatOf(PERSON)],
    ['any object', { type: 'json_object' }],
  ])('passes the second answer with its fault, for %s', (_what, format) => {
    const { texts, rejections, passed } = play(format, [['no'], ['Still ', 'no.']]);
    expect(texts.join('')).toBe('Still no.');
    expect(rejections.map(({ action }) => action)).toEqual(['ask_again']);
    expect(passed).toEqual([{ cause: 'structured_output', detail: 'The answer holds no JSON value.' }]);
  });

  it('passes the rest of a second answer behind what has passed of it', () => {
    const { texts, passed } = play(formatOf(PERSON), [
      ['no'],
      ['{"name":"Ann", "age":', ' -1, "x":2}', ' bye'],
    ]);
    expect(texts.join('')).toBe('{"name":"Ann", "age": -1, "x":2} bye');
    expect(passed).toHaveLength(1);
  });

  it('lets an answer through that the token limit of the upstream has cut', () => {
    const cut = play(formatOf(PERSON, true), [['Here: {"name":"Ann", "ag']], 'length');
    expect(joined(cut)).toBe('{"name":"Ann", "ag');
    expect({ rejections: cut.rejections, ends: cut.ends }).toEqual({ rejections: [], ends: [] });
  });

  it.each([
    ['unclosed comments', '{/*', ''],
    ['unclosed comments of a line', '{//', ''],
    ['comments that end behind all of them', '{/*', '*/}'],
    ['keys without an end', '{"', 'x'],
  ])('gives up an answer of %s in linear time', (_what, unit, end) => {
    const cost = (units: number): number =>
      cpuMs(() => {
        const { rejections } = play(formatOf(PERSON, true), [[unit.repeat(units) + end], ['no']]);
        expect(rejections.map(({ action }) => action)).toEqual(['ask_again', 'fail']);
      });
    expectCostRatio({ small: () => cost(10_000), large: () => cost(60_000) }, 18);
  });

  it('calls a value whole if the token limit has cut only the prose behind it', () => {
    const { texts, ends } = play(formatOf(PERSON, true), [['{"name":"Ann","age":4}\nAs you']], 'length');
    expect({ text: texts.join(''), ends }).toEqual({ text: '{"name":"Ann","age":4}', ends: ['stop'] });
  });

  it.each(["I'm sorry, but I can't help with that.", 'I cannot assist with this request.'])(
    'takes %j for a refusal',
    (text) => {
      const { texts, rejections, refusal } = play(formatOf(PERSON, true), [[...text]]);
      expect({ texts, rejections, refusal }).toEqual({ texts: [text], rejections: [], refusal: text });
    },
  );

  it.each<[string, string, Piece[]]>([
    ['prose', 'Let me look.', [['text', 'Let me look.']]],
    [
      'a part of the value',
      '{"name":"Ann","age":',
      [
        ['text', '{"name":"Ann"'],
        ['text', ',"age":'],
      ],
    ],
  ])('leaves an answer alone that calls a tool behind %s', (_what, text, before) => {
    const { sink, stage } = unrejected();
    const call = { index: 0, id: 'call_1', name: 'look', arguments: '{}' };
    stage.text(text);
    stage.toolCall(call);
    stage.flush('tool_calls');
    expect(sink.pieces).toEqual([...before, ['toolCall', call]]);
  });

  it.each<[string, string, Piece[]]>([
    ['alone', '', []],
    ['behind prose', 'Well.', [['text', 'Well.']]],
    [
      'behind a part of the value',
      '{"name":"Ann","age":',
      [
        ['text', '{"name":"Ann"'],
        ['text', ',"age":'],
      ],
    ],
  ])('hands on a refusal in any words, %s', (_what, text, before) => {
    const { sink, stage } = unrejected();
    if (text !== '') {
      stage.text(text);
    }
    stage.refusal('Dabei ');
    stage.refusal('helfe ich nicht.');
    stage.flush('stop');
    expect(sink.pieces).toEqual([...before, ['refusal', 'Dabei '], ['refusal', 'helfe ich nicht.']]);
  });

  it.each<[string, object]>([
    ['refers to what it does not define', { $ref: '#/$defs/Missing' }],
    ['nests many parts with an id', nested(8, (inner, level) => ({ $id: `s${level}`, not: inner }))],
    ['nests them in dependencies', nested(8, (inner) => ({ dependencies: { id: ['a'], b: inner } }))],
    [
      'has too many parts',
      { properties: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [i, {}])) },
    ],
    ['has two parts with one id', { properties: { a: { $id: 'x:y' }, b: { $id: 'x:y', type: 'null' } } }],
  ])('refuses a schema that %s', (_what, schema) => {
    expect(() => StructuredOutputGuard.of(formatOf(schema), 'the.schema')).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        param: 'the.schema',
        message: expect.stringMatching(/^the\.schema /),
      }),
    );
  });

  it('bounds the time for references that share others', () => {
    const cost = (levels: number, members: number): number => {
      const shared = (level: number): object =>
        level < levels
          ? { allOf: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }] }
          : { type: 'integer' };
      const $defs = Object.fromEntries(Array.from({ length: levels + 1 }, (_, i) => [`d${i}`, shared(i)]));
      const schema = { type: 'object', $defs, additionalProperties: { $ref: '#/$defs/d0' } };
      const answer = JSON.stringify(
        Object.fromEntries(Array.from({ length: members }, (_, i) => [`m${i}`, i])),
      );
      return cpuMs(() => expect(joined(play(formatOf(schema, true), [[answer]]))).toBe(answer));
    };
    expectCostRatio({ small: () => cost(15, 1), large: () => cost(18, 8) }, 6);
  });

  it('does not evaluate costly patterns', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    const answer = JSON.stringify({ a: `${'a'.repeat(40)}!` });
    expect(joined(play(formatOf(schema, true), [[answer]]))).toBe(answer);
  });
});
