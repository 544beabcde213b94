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
  ])('resolves, among %j, the name %j to %s', (names, name, expected) => {
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
  ])('resolves, among %j, the name %j to nothing', (names, name) => {
    expect(resolve(names, name)).toBeUndefined();
  });
});
