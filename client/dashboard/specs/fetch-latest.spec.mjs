import { beforeEach, describe, expect, it, jest } from '@jest/globals';

const getJson = jest.fn();
jest.unstable_mockModule('../assets/data/api.js', () => ({ getJson }));
const { fetchLatest } = await import('../assets/data/fetch-record.js');

const { signal } = new AbortController();

/** Answers with pages of the log, and returns what is found, and where each search began and how much it asked for. */
async function found(...pages) {
  for (const [entries, next] of pages) {
    getJson.mockResolvedValueOnce({ entries, next });
  }
  const latest = await fetchLatest({ key: 'ann' }, { count: 3, signal });
  const queries = getJson.mock.calls.map(([path]) => new URL(path, 'http://x').searchParams);
  return { ...latest, asked: queries.map((query) => [query.get('before'), query.get('limit')]) };
}

beforeEach(() => getJson.mockReset());

describe('fetchLatest', () => {
  it('asks once for what the first page has', async () => {
    expect(await found([[1, 2, 3], 'c'])).toEqual({
      entries: [1, 2, 3],
      isWhole: true,
      asked: [[null, '3']],
    });
    expect(getJson).toHaveBeenCalledWith('/log/json?key=ann&limit=3&content=0', { signal });
  });

  it('goes on behind a page that a time limit has cut, to the end of the log', async () => {
    expect(await found([[], 'c1'], [[1], 'c2'], [[2], null])).toEqual({
      entries: [1, 2],
      isWhole: true,
      asked: [
        [null, '3'],
        ['c1', '3'],
        ['c2', '2'],
      ],
    });
  });

  it('says of a log that it has not searched to its end', async () => {
    const { entries, isWhole, asked } = await found([[], 'c1'], [[], 'c2'], [[], 'c3']);
    expect([entries, isWhole, asked.length]).toEqual([[], false, 3]);
  });
});
