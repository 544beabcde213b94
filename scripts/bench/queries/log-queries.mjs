import { PAGE_PATHS } from '../../../test/support/browser/page-paths.ts';
import { RARE, RARE_MS } from './log-records.mjs';

const HOUR_MS = 3_600_000;
const NONE = 'none-has-this';

/**
 * Queries of the dashboard, as `[name, path]`.
 *
 * @param count requests of `logRecords`, made at `now`
 */
export function logQueries(count, now) {
  const oldest = now - 5 * 24 * HOUR_MS;
  const middle = (now - 60 * HOUR_MS) * 1000;
  const lists = {
    'newest page': '',
    'newest page with texts': 'content=1',
    'page in the middle': `before=${middle}`,
    'oldest page': `before=${(oldest + 60_000) * 1000}`,
    'last hour': `from=${now - HOUR_MS}`,
    'first hour': `from=${oldest}&until=${oldest + HOUR_MS}`,
    'before all': `until=${oldest}`,
    'status failed': 'status=failed',
    'status no one has': 'status=crashed',
    'level error': 'level=error',
    'duration of the oldest': `min_ms=${RARE_MS}`,
    'duration no one has': `min_ms=${RARE_MS + 1}`,
    ...Object.assign(
      {},
      ...['client', 'key', 'model', 'account'].map((name) => ({
        [`${name} of the oldest`]: `${name}=${encodeURIComponent(RARE[name])}`,
        [`${name} no one has`]: `${name}=${NONE}`,
      })),
    ),
    'client of many': 'client=openai-js',
    'reason of the oldest': `reason=${RARE.reason}`,
    'reason no one has': 'reason=site_changed',
    'conversation of the oldest': `conversation=${RARE.conversation}&limit=100`,
    'conversation no one has': 'conversation=0000000000000000&limit=100',
    'search of many': 'q=parser',
    'search of the oldest': `q=${RARE.word}`,
    'search no one has': `q=${NONE}`,
    'search a client no one has': `q=parser&client=${NONE}`,
    slowest: 'sort=slowest',
    'slowest of a client': 'sort=slowest&client=openai-js',
    'slowest with a reason': 'sort=slowest&reason=upstream_idle',
    'slowest of a search': 'sort=slowest&q=parser',
    'longest wait': 'sort=waited',
    'filters at once': `client=openai-js&reason=upstream_idle&key=ci&model=${NONE}&min_ms=1000`,
    exchanges: 'kind=network',
    'exchanges of an account no one has': `kind=network&account=${NONE}`,
    'search of exchanges no one has': `kind=network&q=${NONE}`,
  };
  const id = `req_${(0x51f0a3).toString(16).padStart(16, '0')}`;
  const newest = `req_${(0x51f0a3 + (count - 1) * 7919).toString(16).padStart(16, '0')}`;
  return [
    ...Object.entries(lists).map(([name, query]) => [
      name,
      `/log/json?${query.includes('content=') ? '' : 'content=0&'}${query}`,
    ]),
    ['table of 500 for a spreadsheet', '/log/json?format=csv&limit=500'],
    ['the oldest request', `/dashboard/api/requests/${id}`],
    ['the newest request', `/dashboard/api/requests/${newest}`],
    ['a request no one made', `/dashboard/api/requests/${NONE}`],
    ...[60, 1440, 10_080].map((minutes) => [
      `tiles and chart of ${minutes / 60} h`,
      `/dashboard/api/overview?minutes=${minutes}`,
    ]),
    ...[60, 1440, 10_080].map((minutes) => [
      `capacity of ${minutes / 60} h`,
      `/dashboard/api/capacity?minutes=${minutes}`,
    ]),
    ...['status', 'clients', 'accounts', 'models', 'nodes', 'keys', 'audit?limit=20', 'settings'].map(
      (path) => [path, `/dashboard/api/${path}`],
    ),
    ['usage of 30 days', '/dashboard/api/usage?days=30'],
    ...PAGE_PATHS.map((path) => [`page /dashboard${path}`, `/dashboard${path}`]),
    ['metrics', '/metrics'],
  ];
}
