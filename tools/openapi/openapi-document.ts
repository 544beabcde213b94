import { ROUTE_ARGS_METADATA, RouteParamtypes } from '@nestjs/common/internal';
import { validationMetadatasToSchemas } from 'class-validator-jsonschema';
import { type KeyRole } from '../../src/common/http/access/caller-key.js';
import { NEEDED_ROLE } from '../../src/common/http/access/needs-role.decorator.js';
import { IS_PUBLIC } from '../../src/common/http/access/public.decorator.js';
import { type Route, type RouteCatalog } from '../../src/common/http/answer/route-catalog.js';
import { isApiTarget } from '../../src/common/http/api-target.js';
import { type RouteComments } from './route-comments.js';

type Json = Readonly<Record<string, unknown>>;
type Schema = {
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
} & Json;
type DtoClass = new () => object;

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

const ERROR: Json = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'type', 'param', 'code'],
      properties: {
        message: { type: 'string' },
        type: { type: 'string' },
        param: { type: ['string', 'null'], description: 'The field or parameter at fault.' },
        code: { type: 'string' },
      },
    },
  },
};

/** The OpenAPI document of every route of the gateway, from the routes and DTOs themselves. */
export function openApiDocument(catalog: RouteCatalog, comments: RouteComments, version: string): Json {
  const schemas = validationMetadatasToSchemas({
    refPointerPrefix: '#/components/schemas/',
    additionalConverters: { isPageInputs: () => ({ items: { type: 'object' } }) },
  }) as Record<string, Schema>;
  const used = new Map<string, Json>([['Error', ERROR]]);
  const paths: Record<string, Record<string, Json>> = {};
  const operationIds = new Set<string>();
  const routes = catalog.routes().toSorted((a, b) => compare(a.path, b.path));
  for (const route of routes.filter(({ path }) => !path.includes('*'))) {
    const path = `/${route.path.replace(/^\//, '')}`.replace(/(?<!\\):(\w+)/g, '{$1}').replaceAll('\\', '');
    const operationId = operationIdOf(route, path, operationIds);
    operationIds.add(operationId);
    (paths[path] ??= {})[route.method.toLowerCase()] = {
      operationId,
      ...operation(route, path, schemas, comments, used),
    };
  }
  if (JSON.stringify([...used]).includes('schemas/Object"')) {
    used.set('Object', { type: 'object' });
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Chat Completion Gateway', version },
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: Object.fromEntries([...used].toSorted(([a], [b]) => compare(a, b))),
    },
  };
}

/** A handler of several versions of an API has a name of its own in each: behind the first, with the version. */
function operationIdOf({ controller, handler }: Route, path: string, taken: ReadonlySet<string>): string {
  const name = `${controller.name.replace(/Controller$/, '')}.${handler.name}`;
  return taken.has(name) ? `${name}.${path.split('/')[1]}` : name;
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
  const { body, query } = dtosOf(route);
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
      return { name, in: 'path', required: true, schema: { type: 'string' } };
    }),
    ...(query ? queryParameters(query, schemas[query.name]) : []),
  ];
  if (body) {
    used.set(body.name, schemas[body.name] ?? openSchema(body));
  }
  const format = FORMATS[path];
  const about = comments.of(controller.name, handler.name);
  return {
    tags: [isApiTarget(path) ? 'API' : 'Operation'],
    ...(about && { description: about }),
    ...(format && { externalDocs: { url: format } }),
    ...(isPublic ? { security: [] } : { 'x-role': metadataOf<KeyRole>(NEEDED_ROLE, route) ?? 'operator' }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${body.name}` } } },
      },
    }),
    responses: {
      '2XX': { description: 'Done.' },
      default: {
        description: 'Why not.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

/** Classes of the parameters that a handler takes from body and query. */
function dtosOf({ handler, controller }: Route): { readonly body?: DtoClass; readonly query?: DtoClass } {
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, handler.name) ??
    []) as DtoClass[];
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler.name) ?? {}) as Record<
    string,
    { readonly index: number }
  >;
  const typeOf = (kind: RouteParamtypes): DtoClass | undefined => {
    const found = Object.entries(parameters).find(([key]) => key.startsWith(`${kind}:`));
    const type = found && types[found[1].index];
    return type === (Object as unknown) ? undefined : type;
  };
  const body = typeOf(RouteParamtypes.BODY);
  const query = typeOf(RouteParamtypes.QUERY);
  return { ...(body && { body }), ...(query && { query }) };
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

/** A body that its class checks by itself: its fields, and any others. */
function openSchema(dto: DtoClass): Json {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.keys(new dto()).map((name) => [name, {}])),
    additionalProperties: true,
  };
}

function metadataOf<T>(key: string, { handler, controller }: Route): T | undefined {
  return (Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller)) as T | undefined;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
