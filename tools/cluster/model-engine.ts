import { type Asking, RESERVATIONS_PER_LEASE } from '../../src/cluster/ask-statement.js';
import { type Beat, type BeatAnswer } from '../../src/cluster/beat-statement.js';
import { type Grant } from '../../src/cluster/tenure-book.js';

interface Row {
  readonly account: string;
  readonly share: number;
  node: string | undefined;
  term: number;
  until: number;
  isSpare: boolean;
  wantedBy: string | undefined;
  wantedUntil: number;
}

/**
 * The database as the statements of `src/cluster` use it, over rows in memory, with synthetic time. It decides as they do
 * about what the simulation asks for: all nodes serve one provider, of which each account has one share that suits every
 * request; no account is wanted by name or probed, none is switched off, and the server is not replaced.
 */
export class ModelEngine {
  /** Milliseconds. */
  now = 0;
  isUp = true;
  /** Statements so far. */
  beats = 0;
  askings = 0;
  readonly rows: Row[];
  private readonly seen = new Map<string, { at: number; isDraining: boolean }>();

  /** @param onNotice called with the node that a notification is for */
  constructor(
    accounts: number,
    private readonly nodeLeaseMs: number,
    private readonly onNotice: (node: string) => void,
  ) {
    this.rows = Array.from({ length: accounts }, (_, at) => ({
      account: `a${at}`,
      share: 0,
      node: undefined,
      term: 0,
      until: 0,
      isSpare: false,
      wantedBy: undefined,
      wantedUntil: 0,
    }));
  }

  /** @throws Error while the engine is down, as `ask` does */
  beat(beat: Omit<Beat, 'provider' | 'version' | 'nodeLeaseMs' | 'report'>): BeatAnswer {
    this.beats += 1;
    this.check();
    const { now, nodeLeaseMs } = this;
    const living = this.living(beat.node);
    const isFree = (row: Row) =>
      (row.node === undefined || row.until < now) &&
      !(row.wantedUntil > now && living.has(row.wantedBy ?? ''));
    const free = this.rows.filter(isFree);
    const others = this.rows.filter(
      (row) => row.node !== undefined && row.node !== beat.node && row.until > now,
    );
    const totals = [...Map.groupBy(others, ({ node }) => node).values()].map(({ length }) => length);
    this.seen.set(beat.node, { at: now, isDraining: beat.isDraining });
    const release = new Set(beat.release.map(({ account, term }) => `${account} ${term}`));
    const spare = new Set(beat.spare.map(({ account }) => account));
    const grants: Grant[] = [];
    for (const row of this.rows.filter(({ node }) => node === beat.node)) {
      if (release.has(`${row.account} ${row.term}`)) {
        Object.assign(row, { node: undefined, isSpare: false });
        if (row.wantedBy !== undefined) {
          this.onNotice(row.wantedBy);
        }
      } else if (row.until > now) {
        Object.assign(row, { until: now + nodeLeaseMs, isSpare: spare.has(row.account) });
        const isAskedFor = row.wantedUntil > now && row.wantedBy !== beat.node;
        grants.push({ account: row.account, share: 0, term: row.term, isAskedFor });
      }
    }
    const order = (row: Row) =>
      row.wantedBy === beat.node ? 0 : row.node === beat.node ? 1 : 2 + Math.random();
    const keyed = free.map((row) => [order(row), row] as const).sort(([a], [b]) => a - b);
    for (const [, row] of keyed.slice(0, beat.claim)) {
      const term = Math.max(row.term + 1, Math.round(now * 1000));
      Object.assign(row, {
        node: beat.node,
        until: now + nodeLeaseMs,
        term,
        isSpare: false,
        wantedBy: undefined,
      });
      grants.push({ account: row.account, share: 0, term, isAskedFor: false });
    }
    return {
      grants,
      nodes: living.size + (beat.isDraining ? 0 : 1),
      isFirst: false,
      shares: this.rows.length,
      free: free.length,
      largest: Math.max(0, ...totals),
      spare: others.filter(({ isSpare }) => isSpare).length,
      nextEndMs:
        others.length === 0
          ? undefined
          : others.reduce((least, { until }) => Math.min(least, until), Infinity) - now,
      accountsVersion: 0,
      epoch: '',
      versions: {},
    };
  }

  ask({
    node,
    held,
    least,
    ask,
    isHungry,
    hasNone,
  }: Pick<Asking, 'node' | 'held' | 'least' | 'ask' | 'isHungry' | 'hasNone'>): void {
    this.askings += 1;
    this.check();
    const { now } = this;
    const others = this.rows.filter((row) => row.node !== undefined && row.node !== node && row.until > now);
    const chosen = [...Map.groupBy(others, (row) => row.node).values()].flatMap((rows) =>
      rows
        .toSorted((a, b) => Number(b.isSpare) - Number(a.isSpare))
        .map((row, at) => {
          const rest = rows.length - at - 1;
          return { row, rest, isSurplus: rest >= (held < least ? least : least + 1) };
        }),
    );
    const fitting = chosen.filter(
      ({ row, rest, isSurplus }) =>
        (row.wantedUntil < now || row.wantedBy === node) &&
        (isSurplus || (isHungry && row.isSpare && (rest > 0 || hasNone))),
    );
    fitting.sort(
      (a, b) => Number(b.isSurplus) - Number(a.isSurplus) || b.rest - a.rest || Math.random() - 0.5,
    );
    for (const { row } of fitting.slice(0, ask)) {
      Object.assign(row, { wantedBy: node, wantedUntil: now + this.nodeLeaseMs / RESERVATIONS_PER_LEASE });
      this.onNotice(row.node!);
    }
  }

  private living(node: string): Set<string> {
    const alive = [...this.seen].filter(
      ([id, { at, isDraining }]) => id !== node && !isDraining && at + this.nodeLeaseMs > this.now,
    );
    return new Set(alive.map(([id]) => id));
  }

  private check(): void {
    if (!this.isUp) {
      throw new Error('the engine is down');
    }
  }
}
