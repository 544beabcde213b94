import { describe, expect, it } from '@jest/globals';
import { OfferedTools } from './offered-tools.js';

function resolve(names: readonly string[], name: string): string | undefined {
  const definitions = names.map((one) => ({ type: 'function' as const, function: { name: one } }));
  return new OfferedTools(definitions).resolve(name)?.name;
}

describe('OfferedTools', () => {
  it.each([
    [['read_file', 'readFile'], 'readFile', 'readFile'],
    [['read_file', 'write_file'], 'ReadFile', 'read_file'],
    [['read_file', 'write_file'], 'functions.read_file', 'read_file'],
    [['read_file', 'readFile'], 'functions.readFile', 'readFile'],
    [['api.read', 'read'], 'api.read', 'api.read'],
    [['mcp__files__read'], 'mcp.files.read', 'mcp__files__read'],
  ])('finds among %j by %j: %s', (names, name, expected) => {
    expect(resolve(names, name)).toBe(expected);
  });

  it.each([
    [['read_file', 'readFile'], 'read-file'],
    [['read_file'], 'read'],
    [['read_file'], 'read_files'],
    [['read_file'], ''],
    [['_', '-'], '.'],
    [['_'], '-'],
    [['read_file'], 'toString'],
    [[], 'read_file'],
  ])('finds nothing among %j by %j', (names, name) => {
    expect(resolve(names, name)).toBeUndefined();
  });

  it('knows the parameters that a tool declares', () => {
    const parameters = { type: 'object', properties: { path: { type: 'string' } } };
    const tool = new OfferedTools([{ type: 'function', function: { name: 'f', parameters } }]).resolve('f');
    expect(['path', 'mode', 'constructor'].map((key) => tool?.declares(key))).toEqual([true, false, false]);
    expect(
      new OfferedTools([{ type: 'function', function: { name: 'f' } }]).resolve('f')?.declares('a'),
    ).toBe(false);
  });
});
