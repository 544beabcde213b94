import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AccountTestView } from '../../src/dashboard/account-test/account-tests.js';
import { type AccountView } from '../../src/dashboard/account-view.js';
import { ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import { answer, failed } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const KEY = 'key-of-the-operator';
const ACCOUNTS = '/dashboard/api/accounts';

describe('a test of an account of an API', () => {
  let gateway: StubGateway;

  beforeEach(async () => {
    gateway = await StubGateway.start({ API_KEY: KEY, UPSTREAM_API_KEYS: 'k1,k2' });
    gateway.stub.answerWith(answer({ pieces: ['Hel', 'lo'] }));
  });
  afterEach(() => gateway.close());

  const asOperator = (path: string, method = 'GET', body?: object): Promise<Response> =>
    fetch(gateway.origin + path, {
      method,
      headers: { authorization: `Bearer ${KEY}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });

  async function accounts(): Promise<readonly AccountView[]> {
    const list = (await (await asOperator(ACCOUNTS)).json()) as { readonly accounts: readonly AccountView[] };
    return list.accounts;
  }

  async function test({ id }: AccountView): Promise<AccountTestView> {
    const response = await asOperator(`${ACCOUNTS}/${id}/test`, 'POST');
    expect(response.status).toBe(200);
    return (await response.json()) as AccountTestView;
  }

  it('finds a key that works, which reads as untested until then', async () => {
    const [first, second] = await accounts();
    expect([first!.isUntested, second!.isUntested]).toEqual([true, true]);
    expect(await test(second!)).toMatchObject({ outcome: 'ok', firstAnswerMs: expect.any(Number) });
    expect(gateway.stub.requests.map(({ key }) => key)).toEqual(['k2']);
    expect((await accounts()).map(({ isUntested }) => isUntested)).toEqual([true, undefined]);
  });

  it('finds a wrong key before a caller does, and again once it is replaced', async () => {
    const added = await asOperator(ACCOUNTS, 'POST', { name: 'new', credentials: { key: 'typo' } });
    const account = (await added.json()) as AccountView;
    gateway.stub.answerWith(
      failed(401, { message: 'Incorrect API key provided: typo', code: 'invalid_api_key' }),
    );
    expect(await test(account)).toMatchObject({
      outcome: 'invalid_credentials',
      message: 'The upstream does not accept the key of this account.',
    });
    expect((await accounts())[2]).toMatchObject({ state: 'login_required' });
    const refused = await asOperator(`${ACCOUNTS}/${account.id}/test`, 'POST');
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      {
        error: {
          message: "'new' must be logged in first. The upstream does not accept the key of this account.",
        },
      },
    ]);
    gateway.stub.answerWith(answer());
    await asOperator(`${ACCOUNTS}/${account.id}`, 'PATCH', { credentials: { key: 'k3' } });
    expect((await accounts())[2]).toMatchObject({ state: 'ready', isUntested: true });
    expect(await test(account)).toMatchObject({ outcome: 'ok' });
    expect((await accounts())[2]).not.toHaveProperty('isUntested');
  });

  it('counts as no request of a key, and stands in the log and the audit list', async () => {
    const [first] = await accounts();
    const { requestId } = await test(first!);
    const { status } = await gateway.complete(ASK, { headers: { authorization: `Bearer ${KEY}` } });
    expect(status).toBe(200);
    await eventually(PATIENCE_MS, async () => {
      const usage = (await (await asOperator('/dashboard/api/usage?days=1')).json()) as {
        readonly rows: readonly { readonly requests: number }[];
      };
      expect(usage.rows.map(({ requests }) => requests)).toEqual([1]);
    });
    const entry = (await (await asOperator(`/dashboard/api/requests/${requestId}`)).json()) as object;
    expect(entry).toMatchObject({ entry: { key: 'API_KEY', account: first!.name, outcome: 'ok' } });
    const audit = await (await asOperator('/dashboard/api/audit')).text();
    expect(audit).toContain('"account.test"');
  });
});
