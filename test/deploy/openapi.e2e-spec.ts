import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { projectFolder } from '../../src/common/files/project-folder.js';
import { PROJECT_VERSION } from '../../src/common/files/project-version.js';
import { RouteCatalog } from '../../src/common/http/answer/route-catalog.js';
import { AnswerTypes } from '../../tools/openapi/answer-types.js';
import { openApiDocument } from '../../tools/openapi/openapi-document.js';
import { RouteComments } from '../../tools/openapi/route-comments.js';
import { StubGateway } from '../support/gateway/stub-gateway.js';
import { answer } from '../support/upstream/openai-stub-plans.js';

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { schema: object }>> }>
  >;
  readonly parameters?: readonly {
    readonly name: string;
    readonly schema: { readonly default?: string | number };
  }[];
}

describe('client/openapi.json', () => {
  let gateway: StubGateway;
  const document = JSON.parse(
    readFileSync(new URL('../../client/openapi.json', import.meta.url), 'utf8'),
  ) as OpenApi;

  const operations = (): Operation[] => Object.values(document.paths).flatMap((path) => Object.values(path));

  beforeAll(async () => {
    gateway = await StubGateway.start();
  });
  afterAll(() => gateway.close());

  it('is that of the routes and DTOs as they are (else: npm run docs)', () => {
    const catalog = gateway.app.get(RouteCatalog);
    const comments = new RouteComments(projectFolder());
    const now = openApiDocument(catalog, comments, new AnswerTypes(projectFolder()), PROJECT_VERSION);
    expect(document).toEqual(JSON.parse(JSON.stringify(now)));
  });

  it('has every route, each under a name of its own, and no reference that leads nowhere', () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(ids.length).toBeGreaterThan(40);
    expect(new Set(ids).size).toBe(ids.length);
    const named = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)];
    const unknown = named.filter(([, name = '']) => document.components.schemas[name] === undefined);
    expect(unknown).toEqual([]);
    const { parameters = [] } = document.paths['/log/json']?.get ?? {};
    expect(parameters.map(({ name }) => name)).toContain('min_ms');
  });

  it('says of every operation with what it is answered', () => {
    const silent = operations().filter(({ responses }) =>
      Object.entries(responses).some(
        ([status, { content }]) => status.startsWith('2') && status !== '204' && content === undefined,
      ),
    );
    expect(silent.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('has the form of the answers', async () => {
    gateway.stub.answerWith(answer({ pieces: ['Hello'] }));
    await gateway.complete({ model: 'svc-max', stream: false, messages: [{ role: 'user', content: 'Hi' }] });
    const ajv = new Ajv2020({ strict: false });
    ajv.addSchema(document, 'openapi');
    const wrong: unknown[] = [];
    for (const [path, { get }] of Object.entries(document.paths)) {
      const content = get?.responses['200']?.content?.['application/json'];
      if (content && !path.includes('{')) {
        const response = await fetch(gateway.origin + path);
        const pointer = path.replaceAll('~', '~0').replaceAll('/', '~1');
        const schema = `openapi#/paths/${pointer}/get/responses/200/content/application~1json/schema`;
        const body: unknown = await response.json();
        if (response.status !== 200 || !ajv.validate(schema, body)) {
          wrong.push([path, response.status, ajv.errorsText()]);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('takes all the parameters of a route at once, empty as a form sends them', async () => {
    const { parameters = [] } = document.paths['/log/json']?.get ?? {};
    const form = parameters.map(({ name, schema: { default: value = '' } }) => `${name}=${value}`).join('&');
    const response = await fetch(`${gateway.origin}/log/json?${form}`);
    expect([await response.json(), response.status]).toEqual([expect.any(Object), 200]);
  });
});
