import { describe, expect, it } from '@jest/globals';
import { type JsonObject } from '../../common/text/json-object.js';
import { builtInMembers } from './built-in-members.js';

const exec = { type: 'exec', env: {} };
const shell = { max_output_length: null, timeout_ms: null };
const environment = { type: 'local' };

describe('builtInMembers', () => {
  it.each<[kind: Parameters<typeof builtInMembers>[0], given: JsonObject, members: JsonObject]>([
    [
      'local_shell',
      { command: ['ls', 5], working_directory: '/a', timeout_ms: 9 },
      { action: { ...exec, command: ['ls', '5'], working_directory: '/a', timeout_ms: 9 } },
    ],
    ['local_shell', { command: 'ls | wc' }, { action: { ...exec, command: ['bash', '-lc', 'ls | wc'] } }],
    ['local_shell', { unreadable_input: '{' }, { action: { ...exec, command: [] } }],
    [
      'shell',
      { commands: ['ls'], timeout_ms: 9 },
      { action: { ...shell, commands: ['ls'], timeout_ms: 9 }, environment },
    ],
    ['shell', { commands: 'ls' }, { action: { ...shell, commands: ['ls'] }, environment }],
    ['shell', {}, { action: { ...shell, commands: [] }, environment }],
    [
      'apply_patch',
      { type: 'create_file', path: 'a', diff: '+a' },
      { operation: { type: 'create_file', path: 'a', diff: '+a' } },
    ],
    [
      'apply_patch',
      { type: 'delete_file', path: 'a', diff: '' },
      { operation: { type: 'delete_file', path: 'a' } },
    ],
    ['apply_patch', {}, { operation: { type: 'update_file', path: '', diff: '' } }],
  ])('makes of a call of %s with %j what it does', (kind, given, members) => {
    expect(builtInMembers(kind, given)).toEqual(members);
  });
});
