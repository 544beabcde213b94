import { describe, expect, test } from '@jest/globals';
import { RouteTable } from './route-table.js';

const table = new RouteTable<string>();
table.add('GET', '/v1/models', 'list');
table.add('get', 'v1/models/:id', 'find');
table.add('POST', 'v1/chat/completions', 'complete');
table.add('DELETE', '/v1/models/:id/', 'remove');
table.add('GET', '', 'root');
table.add('GET', 'assets/*path', 'asset');
table.add('POST', 'v2/models/:name\\:countTokens', 'count');
table.add('POST', 'v2/models/*name\\:countTokens', 'count below');
table.add('GET', 'v2/models/*name', 'get below');

describe('RouteTable', () => {
  test.each([
    ['/v1/models', ['GET', 'HEAD']],
    ['/v1/models/', ['GET', 'HEAD']],
    ['/V1/MODELS', ['GET', 'HEAD']],
    ['/v1/models/svc-max', ['GET', 'HEAD', 'DELETE']],
    ['/v1/models/a%2Fb', ['GET', 'HEAD', 'DELETE']],
    ['/v1/chat/completions', ['POST']],
    ['/', ['GET', 'HEAD']],
    ['', ['GET', 'HEAD']],
    ['/assets/a', ['GET', 'HEAD']],
    ['/assets/a/b.js', ['GET', 'HEAD']],
    ['/assets', []],
    ['/v1', []],
    ['//v1/models', []],
    ['/v1//models', []],
    ['/v1/models//', []],
    ['/v1/models/a/b', []],
    ['/v1/./models', []],
    ['/v1/%6dodels', []],
    ['/v1/chat', []],
    ['*', []],
    ['/v2/models/a:countTokens', ['POST', 'GET', 'HEAD']],
    ['/v2/models/a:generate', ['GET', 'HEAD']],
    ['/v2/models/a:countTokens/b', ['GET', 'HEAD']],
  ])('%s has %j', (path, methods) => {
    expect(table.methodsOf(path)).toEqual(methods);
  });
});

test.each([
  ['GET', '/v1/models', 'list'],
  ['HEAD', '/v1/models', 'list'],
  ['GET', '/v1/models/x', 'find'],
  ['DELETE', '/v1/models/x', 'remove'],
  ['POST', '/V1/Chat/Completions/', 'complete'],
  ['GET', '/v1/chat/completions', undefined],
  ['POST', '/v1/chat', undefined],
  ['POST', '/v2/models/a:b:CountTokens', 'count'],
  ['POST', '/v2/models/a/b:countTokens', 'count below'],
  ['POST', '/v2/models/a/b:generate', undefined],
])('%s %s is taken by %s', (method, path, value) => {
  expect(table.find(method, path)).toBe(value);
});

test('all routes at a path are found, whatever their method', () => {
  expect(table.at('/v1/models/x')).toEqual(['find', 'remove']);
  expect(table.at('/v2')).toEqual([]);
});
