import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type AccountView } from '../../src/dashboard/account-view.js';
import { SharedSite } from '../support/cluster/shared-site.js';
import { type ChildGateway } from '../support/gateway/child-gateway.js';
import { ClusterRig } from '../support/gateway/cluster-rig.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const ACCOUNT = { name: 'ann', password: 'pass-of-ann' };

let rig: ClusterRig;
let site: SharedSite;

beforeEach(async () => {
  rig = await ClusterRig.start();
  site = await SharedSite.start({ accounts: [ACCOUNT], features: { consent: true } });
});

afterEach(async () => {
  await rig.close();
  await site.close();
});

const post = (node: ChildGateway, path: string): Promise<Response> =>
  fetch(new URL(`/dashboard/api/accounts${path}`, node.baseUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });

async function accountAt(node: ChildGateway): Promise<AccountView> {
  const response = await fetch(new URL('/dashboard/api/accounts', node.baseUrl));
  const { accounts } = (await response.json()) as { readonly accounts: readonly AccountView[] };
  return accounts[0]!;
}

it('an account that another gateway uses comes to the one at which an operator logs it in', async () => {
  const settings = { ...site.settings, NODE_LEASE_MS: '12000' };
  const nodes = await Promise.all([rig.add(settings), rig.add(settings)]);
  await site.addAccounts(nodes[0]);
  const account = await eventually(PATIENCE_MS, async () => {
    const views = await Promise.all(nodes.map(accountAt));
    expect(views.map(({ state, holders }) => [state, holders?.length])).toEqual([
      ['login_required', 1],
      ['login_required', 1],
    ]);
    return views[0]!;
  });
  const here = account.holders![0]!.isThisNode ? nodes[1] : nodes[0];

  // The person's part is another test's: here the site wants nobody any more.
  site.sandbox.setFeatures({ consent: false });
  const response = await post(here, `/${account.id}/hand-over`);
  const outcomes = [...(await response.text()).matchAll(/"outcome":"(\w+)"/g)].map(([, outcome]) => outcome);
  expect(outcomes).toEqual(['logged_in']);
  const { logins } = site;
  await eventually(PATIENCE_MS, async () => {
    const { state, holders } = await accountAt(here);
    expect([state, holders?.map(({ isThisNode }) => isThisNode)]).toEqual(['ready', [true]]);
  });
  expect((await rig.ask(here, '[[say:hello]]')).text).toContain('"content":"hello"');
  expect(site.logins).toEqual(logins);
});
