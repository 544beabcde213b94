import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { SharedSite } from '../support/cluster/shared-site.js';
import { ClusterRig } from '../support/gateway/cluster-rig.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

/** Longer than a gateway takes to start and to ask for its part. */
const LOGIN_MS = 8000;
/** As many as log in at a time: another one would be at rest. */
const ACCOUNTS = ['ann', 'bob'].map((name) => ({ name, password: `pass-of-${name}` }));

let rig: ClusterRig;
let site: SharedSite;

beforeEach(async () => {
  rig = await ClusterRig.start();
  site = await SharedSite.start({ accounts: ACCOUNTS, features: { loginMs: LOGIN_MS } });
});

afterEach(async () => {
  await rig.close();
  await site.close();
});

it('a gateway that starts while another one logs the accounts in gets its part logged in', async () => {
  const settings = { ...site.settings, NODE_LEASE_MS: '12000' };
  const first = await rig.add(settings);
  await site.addAccounts(first);
  await eventually(PATIENCE_MS, async () => expect(await rig.sharesByNode()).toEqual([2]));
  const second = await rig.add(settings);
  await eventually(PATIENCE_MS, async () => expect(await rig.sharesByNode()).toEqual([1, 1]));
  const answers = await Promise.all([first, second].map((node) => rig.ask(node, '[[say:hello]]')));
  expect([answers.map(({ status }) => status), site.logins]).toEqual([
    [200, 200],
    [1, 1],
  ]);
});
