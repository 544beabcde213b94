import { beforeEach, describe, expect, it, jest } from '@jest/globals';

const getJson = jest.fn();
const fill = jest.fn((element) => element);
jest.unstable_mockModule('../../assets/data/api.js', () => ({ getJson }));
jest.unstable_mockModule('../../assets/widgets/kit/dom.js', () => ({
  fill,
  h: () => ({}),
  syncList: () => undefined,
}));
jest.unstable_mockModule('../../assets/widgets/kit/request-link.js', () => ({ requestLink: () => ({}) }));
jest.unstable_mockModule('../../assets/widgets/entry/entry-link.js', () => ({
  entryLink: () => ({}),
  updateEntryLink: () => undefined,
}));
jest.unstable_mockModule('../../assets/widgets/entry/entry-row.js', () => ({ entryHeader: () => ({}) }));
jest.unstable_mockModule('../../assets/widgets/shell/shell.js', () => ({
  emptyState: (title) => title,
  loadingState: () => 'loading',
}));
const { KeyRequests } = await import('../../assets/widgets/keys/key-requests.js');

const { signal } = new AbortController();

/** What the page of a key says in place of its lists, where each step of a search finds nothing. */
async function shown(next) {
  getJson.mockResolvedValue({ entries: [], next });
  const requests = new KeyRequests({ append: () => undefined }, 'ann');
  fill.mockClear();
  requests.show(await requests.read(signal));
  return fill.mock.calls.map(([, words]) => words);
}

beforeEach(() => getJson.mockReset());

describe('KeyRequests', () => {
  it('says that there are none only where the whole log was searched', async () => {
    expect(await shown(null)).toEqual(['No requests are in the log', 'None has failed', 'None was refused']);
    expect(await shown('c')).toEqual(Array(3).fill('None among the latest requests'));
  });

  it('reads one list after the other', async () => {
    let running = 0;
    let most = 0;
    getJson.mockImplementation(async () => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running -= 1;
      return { entries: [], next: null };
    });
    await new KeyRequests({ append: () => undefined }, 'ann').read(signal);
    expect([getJson.mock.calls.length, most]).toEqual([3, 1]);
  });
});
