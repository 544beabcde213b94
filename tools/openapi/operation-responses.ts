import { RequestMethod } from '@nestjs/common';
import { HEADERS_METADATA, HTTP_CODE_METADATA, REDIRECT_METADATA } from '@nestjs/common/internal';
import { DEFAULT_ERROR_FORMAT, type ErrorFormat } from '../../src/common/errors/error-format.js';
import { ERROR_FORMAT } from '../../src/common/http/answer/answers-errors-as.decorator.js';
import { type Route } from '../../src/common/http/answer/route-catalog.js';
import { GEMINI_ERRORS } from '../../src/gemini/gemini-errors.js';
import { MESSAGE_ERRORS } from '../../src/messages/message-errors.js';
import { OLLAMA_ERRORS } from '../../src/ollama/ollama-errors.js';
import { type AnswerTypes } from './answer-types.js';

type Json = Readonly<Record<string, unknown>>;

const JSON_TYPE = 'application/json';
const EVENTS = 'text/event-stream';
const CSV = 'text/csv';

/** Media types of the answers that handlers write by themselves, or return as text. */
const MEDIA_TYPES: Readonly<Record<string, readonly string[]>> = {
  'ApiDescription.read': [JSON_TYPE],
  'Chat.create': [JSON_TYPE, EVENTS],
  'Gemini.generate': [JSON_TYPE],
  'Gemini.generateStream': [JSON_TYPE, EVENTS],
  'HandOver.begin': [EVENTS],
  'Logs.follow': [EVENTS],
  'Logs.list': [JSON_TYPE, CSV],
  'Messages.create': [JSON_TYPE, EVENTS],
  'Metrics.text': ['text/plain', 'application/openmetrics-text'],
  'Ollama.answerChat': [JSON_TYPE, 'application/x-ndjson'],
  'Ollama.generate': [JSON_TYPE, 'application/x-ndjson'],
  'Rerun.read': [JSON_TYPE],
  'Responses.cancel': [JSON_TYPE],
  'Responses.compact': [JSON_TYPE],
  'Responses.create': [JSON_TYPE, EVENTS],
  'Responses.retrieve': [JSON_TYPE, EVENTS],
  'TextCompletions.create': [JSON_TYPE, EVENTS],
  'Usage.all': [JSON_TYPE, CSV],
};
const PAGES = 'Pages.';
/** Statuses of those that redirect by themselves. */
const REDIRECTS: Readonly<Record<string, number>> = { 'Root.open': 302, 'Root.icon': 301 };

const TEXT: Json = { type: 'string' };
const OPENAI_ERROR: Json = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'type', 'param', 'code'],
      properties: {
        message: TEXT,
        type: TEXT,
        param: { type: ['string', 'null'], description: 'The field or parameter at fault.' },
        code: TEXT,
      },
    },
  },
};

/** Bodies of errors, by the format of the endpoint. */
const ERRORS: ReadonlyMap<ErrorFormat, readonly [name: string, schema: Json]> = new Map([
  [
    MESSAGE_ERRORS,
    [
      'MessagesError',
      {
        type: 'object',
        required: ['type', 'error', 'request_id'],
        properties: {
          type: { type: 'string', const: 'error' },
          error: {
            type: 'object',
            required: ['type', 'message'],
            properties: { type: TEXT, message: TEXT, details: { type: 'object' } },
          },
          request_id: TEXT,
        },
      },
    ],
  ],
  [OLLAMA_ERRORS, ['OllamaError', { type: 'object', required: ['error'], properties: { error: TEXT } }]],
  [
    GEMINI_ERRORS,
    [
      'GeminiError',
      {
        type: 'object',
        required: ['error'],
        properties: {
          error: {
            type: 'object',
            required: ['code', 'message', 'status'],
            properties: {
              code: { type: 'integer', description: 'The HTTP status.' },
              message: TEXT,
              status: TEXT,
              details: { type: 'array', items: { type: 'object' } },
            },
          },
        },
      },
    ],
  ],
]);

/** Of every refused request. */
const HEADERS: Json = {
  'x-request-id': { description: 'Id of the request, also in the log.', schema: TEXT },
  'x-gateway-reason': { description: 'The reason in one word, as in the log and the metrics.', schema: TEXT },
  'Retry-After': { description: 'Seconds to wait, where waiting helps.', schema: { type: 'integer' } },
};

/** The answers of operations: statuses, media types, and bodies as far as types say them. */
export class OperationResponses {
  private readonly errors = new Map<string, Json>();

  constructor(private readonly answers: AnswerTypes) {}

  /** Schemas that the answers have named so far. */
  get schemas(): ReadonlyMap<string, Json> {
    return new Map([...this.answers.schemas, ...this.errors]);
  }

  /** The answers of refused requests, by the names of their schemas. */
  get refusals(): ReadonlyMap<string, Json> {
    const refusals = [...this.errors.keys()].map((name) => {
      const content = { [JSON_TYPE]: { schema: { $ref: `#/components/schemas/${name}` } } };
      return [name, { description: 'Why not.', headers: HEADERS, content }] as const;
    });
    return new Map(refusals);
  }

  /** @param name of the operation, without a version */
  of(route: Route, name: string): Json {
    const { handler, controller } = route;
    const redirect = Reflect.getMetadata(REDIRECT_METADATA, handler) as { statusCode: number } | undefined;
    const moved = redirect?.statusCode ?? REDIRECTS[name];
    const content = this.contentOf(route, name);
    const done = { description: 'Done.', ...(content && { content }) };
    return {
      ...(moved === undefined
        ? { [statusOf(route, name)]: done }
        : { [moved]: { description: 'It is elsewhere.' } }),
      ...(name === 'Health.ready' && { 503: { ...done, description: 'Requests cannot be served.' } }),
      default: this.refusal(Reflect.getMetadata(ERROR_FORMAT, controller) as ErrorFormat | undefined),
    };
  }

  private contentOf({ handler, controller }: Route, name: string): Json | undefined {
    const headers = (Reflect.getMetadata(HEADERS_METADATA, handler) ?? []) as {
      name: string;
      value: string;
    }[];
    const declared = headers.find((header) => header.name === 'Content-Type')?.value;
    if (declared?.startsWith('image/')) {
      return { [declared]: {} };
    }
    const schema = this.answers.of(controller.name, handler.name);
    const types = name.startsWith(PAGES) ? ['text/html'] : (MEDIA_TYPES[name] ?? (schema && [JSON_TYPE]));
    return (
      types &&
      Object.fromEntries(types.map((type) => [type, { schema: type === JSON_TYPE ? asJson(schema) : TEXT }]))
    );
  }

  private refusal(format = DEFAULT_ERROR_FORMAT): Json {
    const [name, schema] = ERRORS.get(format) ?? ['Error', OPENAI_ERROR];
    this.errors.set(name, schema);
    return { $ref: `#/components/responses/${name}` };
  }
}

/** What is answered as JSON of what a handler returns: a text is another form, or JSON already. */
function asJson(schema: Json = {}): Json {
  const members = [schema.anyOf ?? schema].flat() as Json[];
  const [only, ...more] = members.filter(({ type }) => type !== 'string');
  return more.length > 0 ? schema : (only ?? {});
}

/** What `@HttpCode` says, else as Nest answers; handlers that write by themselves answer 200. */
function statusOf({ handler, method }: Route, name: string): number {
  const declared = Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined;
  return declared ?? (method === RequestMethod[RequestMethod.POST] && !MEDIA_TYPES[name] ? 201 : 200);
}
