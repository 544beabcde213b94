import { setImmediate as macrotask } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Subscription } from 'rxjs';
import { eventually, PATIENCE_MS } from '../../../test/support/watch/eventually.js';
import { type WorkerClient } from '../../common/threads/worker-client.js';
import { OtherNodes } from './other-nodes.js';
import { type OtherRecord } from './shared-search.js';

/** Feeds of the changes that the database has. */
let feeds: number[];
let isAway: boolean;
/** Calls that the database did not answer. */
let failures: number;
const records = (after: number): OtherRecord[] =>
  feeds.filter((feed) => feed > after).map((feed) => ({ feed }) as OtherRecord);

async function call(_limitMs: number, name: string, query?: { readonly after: number }): Promise<unknown> {
  await macrotask();
  if (isAway) {
    failures++;
    throw new Error('away');
  }
  if (name === 'position') {
    return Math.max(0, ...feeds);
  }
  const after = query?.after ?? 0;
  const found = records(after);
  return { records: found, position: found.at(-1)?.feed ?? after };
}

describe('OtherNodes', () => {
  let others: OtherNodes;
  let subscription: Subscription;
  let seen: number[];

  beforeEach(async () => {
    feeds = [100];
    isAway = false;
    failures = 0;
    seen = [];
    others = new OtherNodes(() => ({ callWithin: call }) as unknown as WorkerClient);
    subscription = others.changes$.subscribe(({ feed }) => seen.push(feed));
    await eventually(PATIENCE_MS, () => expect(others.position).toBe(100));
  });
  afterEach(() => {
    subscription.unsubscribe();
    others.close();
  });

  /** The database is away for a moment, and has these changes then. */
  async function outage(after: number[]): Promise<void> {
    isAway = true;
    await eventually(PATIENCE_MS, () => expect(failures).toBeGreaterThan(0));
    isAway = false;
    feeds = after;
  }

  it('misses nothing that was logged while the database was away', async () => {
    await outage([100, 101, 102]);
    await eventually(PATIENCE_MS, () => expect(seen).toEqual([101, 102]));
  });

  it('goes on where a database is that counts its transactions anew', async () => {
    await outage([0, 7]);
    await eventually(PATIENCE_MS, () => expect(others.position).toBe(7));
    feeds.push(8);
    await eventually(PATIENCE_MS, () => expect([seen, others.position]).toEqual([[8], 8]));
  });
});
