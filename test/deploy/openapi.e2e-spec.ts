import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projectFolder } from '../../src/common/files/project-folder.js';
import { PROJECT_VERSION } from '../../src/common/files/project-version.js';
import { RouteCatalog } from '../../src/common/http/answer/route-catalog.js';
import { openApiDocument } from '../../tools/openapi/openapi-document.js';
import { RouteComments } from '../../tools/openapi/route-comments.js';
import { StubGateway } from '../support/gateway/stub-gateway.js';

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string }[];
}

describe('client/openapi.json', () => {
  let gateway: StubGateway;
  const document = JSON.parse(
    readFileSync(new URL('../../client/openapi.json', import.meta.url), 'utf8'),
  ) as OpenApi;

  beforeAll(async () => {
    gateway = await StubGateway.start();
  });
  afterAll(() => gateway.close());

  it('is that of the routes and DTOs as they are (npm run docs:api)', () => {
    const catalog = gateway.app.get(RouteCatalog);
    const now = openApiDocument(catalog, new RouteComments(projectFolder()), PROJECT_VERSION);
    expect(document).toEqual(JSON.parse(JSON.stringify(now)));
  });

  it('has every route, each under a name of its own, and no reference that leads nowhere', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    expect(operations.length).toBeGreaterThan(40);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    const named = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)];
    const unknown = named.filter(([, name = '']) => document.components.schemas[name] === undefined);
    expect(unknown).toEqual([]);
    const { parameters = [] } = document.paths['/log/json']?.get ?? {};
    expect(parameters.map(({ name }) => name)).toContain('min_ms');
  });
});
