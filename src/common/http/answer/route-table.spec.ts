import { describe, expect, test } from '@jest/globals';
import { RouteTable } from './route-table.js';

const table = new RouteTable();
table.add('GET', '/v1/models');
table.add('get', 'v1/models/:id');
table.add('POST', 'v1/chat/completions');
table.add('DELETE', '/v1/models/:id/');
table.add('GET', '');
table.add('GET', 'assets/*path');

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
  ])('%s has %j', (path, methods) => {
    expect(table.methodsOf(path)).toEqual(methods);
  });
});
