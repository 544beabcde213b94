import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Page } from 'puppeteer';
import { NodeList } from '../../src/cluster/node-list.js';
import { type NodeView } from '../../src/dashboard/nodes/node-view.js';
import { findings } from '../support/browser/appearance.js';
import { click, inPage, textOf } from '../support/browser/dashboard-browser.js';
import { Dashboard } from '../support/browser/use-dashboard.js';
import { ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import { createUsedDatabase, type TestDatabase } from '../support/postgres/postgres-server.js';
import { answer } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

let database: TestDatabase;
let dashboard: Dashboard;
let other: StubGateway;

beforeAll(async () => {
  database = await createUsedDatabase();
  const shared = { DATABASE_URL: database.url, SECRET_KEY: 'one secret for all' };
  dashboard = new Dashboard(shared);
  await dashboard.start();
  other = await StubGateway.start({ ...shared, LOG_RETENTION_DAYS: 9 });
  other.stub.answerWith(answer());
});
afterAll(async () => {
  await other.close();
  await dashboard.close();
  await database.drop();
});

/** Waits until an element has a text, however slow the machine is. */
const see = (page: Page, selector: string, text: string): Promise<void> =>
  eventually(PATIENCE_MS, async () => expect(await textOf(page, selector)).toContain(text));

async function nodes(): Promise<readonly NodeView[]> {
  const response = await fetch(`${dashboard.gateway.origin}/dashboard/api/nodes`);
  return ((await response.json()) as { nodes: NodeView[] }).nodes;
}

/** Both nodes, this dashboard's first, once both have told of themselves. */
function known(): Promise<readonly [own: NodeView, other: NodeView]> {
  return eventually(PATIENCE_MS, async () => {
    const all = await nodes();
    expect(all.map(({ state }) => state)).toEqual(['ok', 'ok']);
    const names = all.map(({ logName }) => logName);
    expect(names).toEqual([expect.any(String), expect.any(String)]);
    const own = all.find(({ overridden }) => overridden === undefined)!;
    return [own, all.find((node) => node !== own)!] as const;
  });
}

describe('the dashboard of several nodes', () => {
  it('shows each with its state and figures, and the settings that it could not take over', async () => {
    const page = await dashboard.open();
    const settings = `${dashboard.gateway.origin}/dashboard/api/settings`;
    const { version } = (await (await fetch(settings)).json()) as { version: string };
    const changed = await fetch(settings, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', 'if-match': `"${version}"` },
      body: JSON.stringify({ values: { LOG_RETENTION_DAYS: 5 } }),
    });
    expect(changed.status).toBe(200);
    await see(page, '#nodes', '1 shared setting set by its environment: LOG_RETENTION_DAYS');
    const both = await known();
    expect(both[1]).toEqual({
      id: expect.any(String),
      version: expect.any(String),
      state: 'ok',
      seenMsAgo: expect.any(Number),
      accounts: 1,
      shares: 8,
      logName: expect.any(String),
      logLagMs: expect.any(Number),
      uptimeMs: expect.any(Number),
      running: 0,
      waiting: 0,
      leases: 0,
      sessions: expect.any(Number),
      idle: expect.any(Number),
      opening: expect.any(Number),
      capacity: expect.any(Number),
      states: { ready: 1, cooldown: 0, login_required: 0, disabled: 0 },
      overridden: ['LOG_RETENTION_DAYS'],
    });
    for (const [at, { logName }] of both.toSorted((a, b) => (a.id < b.id ? -1 : 1)).entries()) {
      await see(page, `#nodes li:nth-child(${at + 1})`, 'ready');
      expect(await textOf(page, `#nodes li:nth-child(${at + 1}) a`)).toBe(logName);
    }
    expect(await findings(page)).toEqual([]);
  });

  it('shows the accounts of all nodes in the overview, whichever answers', async () => {
    await known();
    for (const { origin } of [dashboard.gateway, other]) {
      await eventually(PATIENCE_MS, async () => {
        const answer = await fetch(`${origin}/dashboard/api/overview`);
        const { accounts } = (await answer.json()) as { accounts: object };
        expect(accounts).toEqual({ ready: 2, cooldown: 0, login_required: 0, disabled: 0 });
      });
    }
  });

  it('reads nodes and accounts along with the figures', async () => {
    const page = await dashboard.open();
    await see(page, '#nodes', 'ready');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.click('[name="minutes"][value="15"] + span');
    await eventually(PATIENCE_MS, () => expect(asked).toContain('/dashboard/api/capacity'));
    expect(asked).toContain('/dashboard/api/overview');
    for (const part of ['accounts', 'nodes']) {
      expect(asked).not.toContain(`/dashboard/api/${part}`);
    }
  });

  it('keeps the nodes while the database does not tell', async () => {
    await known();
    const page = await dashboard.open();
    await see(page, '#nodes', 'ready');
    const read = jest.spyOn(dashboard.gateway.app.get(NodeList), 'read').mockRejectedValue(new Error('away'));
    await see(page, '#nodes', 'The database does not answer');
    expect(await inPage<number>(page, `document.querySelectorAll('#nodes li').length`)).toBe(2);
    read.mockRestore();
    await eventually(PATIENCE_MS, async () =>
      expect(await textOf(page, '#nodes')).not.toContain('does not answer'),
    );
  });

  it('finds what clients get wrong at either', async () => {
    const headers = { 'user-agent': 'agent/1' };
    await dashboard.gateway.complete({ ...ASK, model: 'svc_max' }, { headers });
    await other.complete({ ...ASK, model: 'svc_max' }, { headers });
    await dashboard.gateway.complete({}, { headers }, '/chat/completions');
    await other.complete({}, { headers }, '/chat/completions');
    const page = await dashboard.open();
    for (const text of [
      "It asks for the model 'svc_max'",
      'It asks for /chat/completions, where nothing is',
    ]) {
      await see(page, '#clients', text);
    }
  });

  it('shows the requests of one node, and which node served one', async () => {
    await dashboard.gateway.post({ ...ASK, messages: [{ role: 'user', content: 'from the first' }] });
    await other.post({ ...ASK, messages: [{ role: 'user', content: 'from the second' }] });
    const [own, second] = await known();
    const page = await dashboard.open('/logs');
    await see(page, '#list', 'from the first');
    await see(page, '#list', 'from the second');
    await click(page, '#more-filters summary');
    await page.select('[name="node"]', second.logName!);
    await eventually(PATIENCE_MS, async () => {
      const text = await textOf(page, '#list');
      expect([text.includes('from the first'), text.includes('from the second')]).toEqual([false, true]);
    });
    await click(page, '.entry summary');
    await see(page, '.entry-detail', second.logName!);
    await page.select('[name="node"]', own.logName!);
    await see(page, '#list', 'from the first');
    // A list that the mouse is over does not move.
    await page.mouse.move(1, 1);
    // It is shown as it ends, although no page is read again.
    await dashboard.gateway.post({ ...ASK, messages: [{ role: 'user', content: 'a later one' }] });
    await see(page, '#list', 'a later one');
    expect(
      await inPage<boolean>(page, `document.querySelector('[name="node"]').closest('label').hidden`),
    ).toBe(false);
  });
});
