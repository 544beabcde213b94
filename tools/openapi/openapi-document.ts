import { ROUTE_ARGS_METADATA, RouteParamtypes } from '@nestjs/common/internal';
import { IS_OPTIONAL } from 'class-validator';
import { validationMetadatasToSchemas } from 'class-validator-jsonschema';
import { type ErrorFormat } from '../../src/common/errors/error-format.js';
import { type KeyRole } from '../../src/common/http/access/caller-key.js';
import { NEEDED_ROLE } from '../../src/common/http/access/needs-role.decorator.js';
import { IS_PUBLIC } from '../../src/common/http/access/public.decorator.js';
import { ERROR_FORMAT } from '../../src/common/http/answer/answers-errors-as.decorator.js';
import { type Route, type RouteCatalog } from '../../src/common/http/answer/route-catalog.js';
import { isApiTarget } from '../../src/common/http/api-target.js';
import { GEMINI_ERRORS } from '../../src/gemini/gemini-errors.js';
import { type AnswerTypes } from './answer-types.js';
import { OperationResponses } from './operation-responses.js';
import { type RouteComments } from './route-comments.js';

type Json = Readonly<Record<string, unknown>>;
type Schema = {
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
} & Json;
type DtoClass = (new () => object) & { readonly refusesUnknown?: true };
interface Inputs {
  readonly body?: DtoClass;
  readonly query?: DtoClass;
  readonly headers: readonly string[];
}

/** Documentation of others' formats, by the path of the endpoint. */
const FORMATS: Readonly<Record<string, string>> = {
  '/v1/chat/completions': 'https://platform.openai.com/docs/api-reference/chat',
  '/v1/completions': 'https://platform.openai.com/docs/api-reference/completions',
  '/v1/responses': 'https://platform.openai.com/docs/api-reference/responses',
  '/v1/messages': 'https://docs.anthropic.com/en/api/messages',
  '/api/chat': 'https://docs.ollama.com/api/chat',
  '/api/generate': 'https://docs.ollama.com/api/generate',
  '/v1beta/models/{model}:generateContent': 'https://ai.google.dev/api/generate-content',
};

/** Fields without which a body is refused, of the classes that check it by themselves. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  CountContentDto: [],
  CountTokensDto: ['model', 'messages'],
  CreateChatCompletionDto: ['model'],
  CreateMessageDto: ['model', 'messages', 'max_tokens'],
  CreateResponseDto: ['model', 'input'],
  CreateTextCompletionDto: ['model', 'prompt'],
  GenerateContentDto: ['contents'],
  OllamaChatDto: ['model'],
  OllamaGenerateDto: ['model'],
  OllamaShowDto: [],
};

/** Ways to send a key. */
const KEYS: Json = {
  bearer: { type: 'http', scheme: 'bearer' },
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
  googleKey: { type: 'apiKey', in: 'header', name: 'x-goog-api-key' },
};

const TAGS: Readonly<Record<'api' | 'operation', Json>> = {
  api: { name: 'API', description: 'Completions and models, for callers.' },
  operation: { name: 'Operation', description: 'The dashboard, its data, the log and probes.' },
};

/** The OpenAPI document of every route of the gateway, from the routes, their types and DTOs themselves. */
export function openApiDocument(
  catalog: RouteCatalog,
  comments: RouteComments,
  answers: AnswerTypes,
  version: string,
): Json {
  const dtos = dtoSchemas();
  const responses = new OperationResponses(answers);
  const used = new Map<string, Json>();
  const paths: Record<string, Record<string, Json>> = {};
  const operationIds = new Set<string>();
  const routes = catalog.routes().toSorted((a, b) => compare(a.path, b.path));
  for (const route of routes.filter(({ path }) => !path.includes('*'))) {
    const path = `/${route.path.replace(/^\//, '')}`.replace(/(?<!\\):(\w+)/g, '{$1}').replaceAll('\\', '');
    const name = `${route.controller.name.replace(/Controller$/, '')}.${route.handler.name}`;
    // A handler of several versions of an API has a name of its own in each: behind the first, with the version.
    const operationId = operationIds.has(name) ? `${name}.${path.split('/')[1]}` : name;
    operationIds.add(operationId);
    (paths[path] ??= {})[route.method.toLowerCase()] = {
      operationId,
      ...operation(route, path, dtos, comments, used),
      responses: responses.of(route, name),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Chat Completion Gateway',
      version,
      description: 'An OpenAI-format gateway in front of a chat provider, and what its dashboard reads.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The gateway that serves this file.' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: Object.values(TAGS),
    paths,
    components: {
      securitySchemes: KEYS,
      responses: sorted(responses.refusals),
      schemas: sorted([...used, ...responses.schemas]),
    },
  };
}

/** Of the classes with validation rules. Rules about sizes say nothing of integers, which another rule may demand. */
function dtoSchemas(): Readonly<Record<string, Schema>> {
  return validationMetadatasToSchemas({
    refPointerPrefix: '#/components/schemas/',
    additionalConverters: {
      isPageInputs: () => ({ items: { type: 'object' }, maxItems: 100 }),
      isCredentials: () => ({
        type: 'object',
        minProperties: 1,
        maxProperties: 20,
        additionalProperties: { type: 'string', maxLength: 10_000 },
        propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' },
      }),
      min: ({ constraints }) => ({ minimum: constraints[0] as number }),
      max: ({ constraints }) => ({ maximum: constraints[0] as number }),
      conditionalValidation: ({ name, constraints }) =>
        skipsNull(name, constraints) ? { nullable: true } : {},
    },
  }) as Record<string, Schema>;
}

/** Whether a field may be null, which means something then: `@IsOptional` takes null as a field that was left out. */
function skipsNull(name: string | undefined, [condition]: unknown[]): boolean {
  return name !== IS_OPTIONAL && (condition as (object: object, value: null) => boolean)({}, null) === false;
}

/** `nullable` is of OpenAPI 3.0; from 3.1 on, null is a type. */
function withNull({ nullable, ...schema }: Json): Json {
  return nullable ? { ...schema, type: [schema.type, 'null'] } : schema;
}

function operation(
  route: Route,
  path: string,
  schemas: Readonly<Record<string, Schema>>,
  comments: RouteComments,
  used: Map<string, Json>,
): Json {
  const { handler, controller } = route;
  const isPublic = metadataOf<boolean>(IS_PUBLIC, route) === true;
  const { body, query, headers } = inputsOf(route);
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
      return { name, in: 'path', required: true, schema: { type: 'string' } };
    }),
    ...(query ? queryParameters(query, schemas[query.name]) : []),
    // One that a route can do without is a sign of the caller's format.
    ...headers.map((name) => ({
      name,
      in: 'header',
      required: name === 'if-match',
      schema: { type: 'string' },
    })),
  ];
  if (body) {
    used.set(body.name, bodySchema(body, schemas[body.name]));
  }
  const format = FORMATS[path];
  const about = comments.of(controller.name, handler.name);
  return {
    tags: [TAGS[isApiTarget(path) ? 'api' : 'operation'].name],
    summary: `${inWords(controller.name.replace(/Controller$/, ''))}: ${inWords(handler.name).toLowerCase()}`,
    ...(about && { description: about }),
    ...(format && { externalDocs: { url: format } }),
    ...(isPublic && { security: [] }),
    ...(metadataOf<ErrorFormat>(ERROR_FORMAT, route) === GEMINI_ERRORS && {
      security: Object.keys(KEYS).map((name) => ({ [name]: [] })),
    }),
    ...(!isPublic && { 'x-role': metadataOf<KeyRole>(NEEDED_ROLE, route) ?? 'operator' }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${body.name}` } } },
      },
    }),
  };
}

/** Classes of the parameters that a handler takes from body and query, and names of headers that only it reads. */
function inputsOf({ handler, controller }: Route): Inputs {
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, handler.name) ??
    []) as DtoClass[];
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler.name) ?? {}) as Record<
    string,
    { readonly index: number; readonly data?: string }
  >;
  const typeOf = (kind: RouteParamtypes): DtoClass | undefined => {
    const found = Object.entries(parameters).find(([key]) => key.startsWith(`${kind}:`));
    const type = found && types[found[1].index];
    return type === (Object as unknown) ? undefined : type;
  };
  const body = typeOf(RouteParamtypes.BODY);
  const query = typeOf(RouteParamtypes.QUERY);
  const headers = Object.entries(parameters)
    .filter(([key]) => key.startsWith(`${RouteParamtypes.HEADERS}:`))
    .map(([, { data = '' }]) => data);
  return { ...(body && { body }), ...(query && { query }), headers };
}

function queryParameters(dto: DtoClass, schema: Schema | undefined): Json[] {
  const defaults = new dto() as Record<string, unknown>;
  return Object.keys(defaults).map((name) => {
    const value = defaults[name];
    return {
      name,
      in: 'query',
      schema: { ...schema?.properties?.[name], ...(value !== undefined && { default: value }) },
    };
  });
}

/** Without validation rules a class checks a body by itself: its fields, and any others. */
function bodySchema(dto: DtoClass, schema: Schema | undefined): Json {
  if (!schema) {
    return {
      type: 'object',
      properties: Object.fromEntries(Object.keys(new dto()).map((name) => [name, {}])),
      required: REQUIRED[dto.name],
      additionalProperties: true,
    };
  }
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [name, withNull(field)]);
  return {
    ...schema,
    properties: Object.fromEntries(fields) as Json,
    ...(dto.refusesUnknown && { additionalProperties: false }),
  };
}

function metadataOf<T>(key: string, { handler, controller }: Route): T | undefined {
  return (Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller)) as T | undefined;
}

function sorted(named: Iterable<readonly [name: string, value: Json]>): Json {
  return Object.fromEntries([...named].toSorted(([a], [b]) => compare(a, b)));
}

/** `OwnKey` as `Own key`. */
function inWords(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
