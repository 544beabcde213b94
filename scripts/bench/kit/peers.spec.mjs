import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { peersOf } from './peers.mjs';

describe('peersOf', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-peers-'));
  const file = join(folder, 'peers.json');
  const broken = join(folder, 'broken.json');

  beforeAll(() => {
    const headers = { 'x-provider': 'openai' };
    writeFileSync(file, JSON.stringify([{ name: 'peer', url: 'http://b/v1', pid: 7, headers }]));
    writeFileSync(broken, JSON.stringify([{ url: 'http://b/v1' }, { name: 'peer' }]));
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('takes URLs and files, and the options where a file says nothing', () => {
    const options = { against: ['http://a/v1', file], pid: '1', key: 'k', model: 'bench' };
    expect(peersOf(options)).toEqual([
      { name: 'http://a/v1', url: 'http://a/v1', pid: '1', key: 'k', model: 'bench', headers: {} },
      {
        name: 'peer',
        url: 'http://b/v1',
        pid: 7,
        key: 'k',
        model: 'bench',
        headers: { 'x-provider': 'openai' },
      },
    ]);
  });

  it('names the gateway without a URL', () => {
    expect(() => peersOf({ against: [broken] })).toThrow('--against: gateway 2 has no "url"');
  });
});
