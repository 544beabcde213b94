import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { SandboxSite } from '../../src/sandbox/sandbox-site.js';
import { ClusterRig } from '../support/gateway/cluster-rig.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

/** Longer than a gateway takes to start and to ask for its part. */
const LOGIN_MS = 8000;

let rig: ClusterRig;
let site: SandboxSite;
let folder: string;

beforeEach(async () => {
  rig = await ClusterRig.start();
  // As many as log in at a time: another one would be at rest.
  const accounts = ['ann', 'bob'].map((name) => ({ name, password: `pass-of-${name}` }));
  site = new SandboxSite({ accounts, features: { loginMs: LOGIN_MS } });
  folder = await mkdtemp(join(tmpdir(), 'gateway-recipe-'));
  const recipe = JSON.parse(readFileSync('recipes/sandbox.json', 'utf8')) as object;
  const origin = await site.start();
  writeFileSync(join(folder, 'site.json'), JSON.stringify({ ...recipe, $schema: undefined, origin }));
});

afterEach(async () => {
  await rig.close();
  await site.close();
  await rm(folder, { recursive: true });
});

it('a gateway that starts while another one logs the accounts in gets its part logged in', async () => {
  const settings = { PROVIDER: 'web', SITE_RECIPE: join(folder, 'site.json'), NODE_LEASE_MS: '12000' };
  const first = await rig.add(settings);
  for (const { name, password } of site.accounts) {
    const { status } = await fetch(new URL('/dashboard/api/accounts', first.baseUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, credentials: { user: name, password } }),
    });
    expect(status).toBe(201);
  }
  await eventually(PATIENCE_MS, async () => expect(await rig.sharesByNode()).toEqual([2]));
  const second = await rig.add(settings);
  await eventually(PATIENCE_MS, async () => expect(await rig.sharesByNode()).toEqual([1, 1]));
  const answers = await Promise.all([first, second].map((node) => rig.ask(node, '[[say:hello]]')));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(site.accounts.map(({ name }) => site.logins.get(name)?.ok)).toEqual([1, 1]);
});
