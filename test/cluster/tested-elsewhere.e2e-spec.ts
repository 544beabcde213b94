import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type AccountView } from '../../src/dashboard/account-view.js';
import { SharedSite } from '../support/cluster/shared-site.js';
import { type ChildGateway } from '../support/gateway/child-gateway.js';
import { ClusterRig } from '../support/gateway/cluster-rig.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

let rig: ClusterRig;
let site: SharedSite;

beforeEach(async () => {
  rig = await ClusterRig.start();
  site = await SharedSite.start({ accounts: [{ name: 'ann', password: 'pass-of-ann' }] });
});
afterEach(async () => {
  await rig.close();
  await site.close();
});

async function accountAt({ baseUrl }: ChildGateway): Promise<AccountView> {
  const response = await fetch(new URL('/dashboard/api/accounts', baseUrl));
  const { accounts } = (await response.json()) as { readonly accounts: readonly AccountView[] };
  return accounts[0]!;
}

const test = ({ baseUrl }: ChildGateway, id: string): Promise<Response> =>
  fetch(new URL(`/dashboard/api/accounts/${id}/test`, baseUrl), {
    method: 'POST',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });

it('an account is tested at the gateway that uses it, which the other one names', async () => {
  const settings = { ...site.settings, NODE_LEASE_MS: '12000' };
  const nodes = await Promise.all([rig.add(settings), rig.add(settings)]);
  await site.addAccounts(nodes[0]);
  const [user, other, holder] = await eventually(PATIENCE_MS, async () => {
    const views = await Promise.all(nodes.map(accountAt));
    expect(views.map(({ state }) => state).sort()).toEqual(['elsewhere', 'ready']);
    const { logName } = views[0]!.holders?.[0] ?? {};
    expect(logName).toBeDefined();
    return views[0]!.state === 'ready'
      ? ([nodes[0], nodes[1], logName] as const)
      : ([nodes[1], nodes[0], logName] as const);
  });
  const { id } = await accountAt(user);

  const refused = await test(other, id);
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: { message: `'ann' is used by ${holder}: test it there.` } },
  ]);
  const tested = await test(user, id);
  expect([tested.status, await tested.json()]).toMatchObject([200, { outcome: 'ok' }]);
  expect(site.logins).toEqual([1]);
});
