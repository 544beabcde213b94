import { expect, it } from '@jest/globals';
import { seeText } from '../support/browser/dashboard-browser.js';
import { useDashboard } from '../support/browser/use-dashboard.js';
import { ASK } from '../support/gateway/stub-gateway.js';

const dashboard = useDashboard({
  UPSTREAM_API_KEYS: Array.from({ length: 60 }, (_, at) => `key-${at}`).join(','),
});

it('a request names fifty of sixty accounts by what kept each from serving, and counts the others', async () => {
  await dashboard.gateway.complete(ASK);
  const { id, attempts: [attempt] = [] } = dashboard.gateway.lastEntry ?? {};
  const { considered = [] } = attempt ?? {};
  expect(considered.filter(({ account }) => account !== undefined)).toHaveLength(50);
  // Some may still be without a session.
  const counts = considered.flatMap(({ others = [] }) => others);
  expect(counts.reduce((sum, count) => sum + count)).toBe(10);
  const page = await dashboard.open(`/logs?id=${id}`);
  for (const count of counts) {
    await seeText(page, '#pinned .entry-detail', `${count} more`);
  }
  const reasons = new Set(considered.map(({ outcome }) => outcome)).size;
  expect(await page.$$('.considered > li')).toHaveLength(reasons);
});
