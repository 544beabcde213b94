import { isEmpty, numberOf, type Quantity, quartiles, shapeOf, timeOf } from './cell-values.js';

/** What a column of a table says of its rows. */
export interface ColumnProfile {
  readonly name: string;
  /** `constant`, `categories`, `range` and `distinct` tell how the column is described. */
  readonly kind: 'constant' | 'categories' | 'range' | 'distinct';
  /** E.g. `"active" 480, "failed" 3`, or `1 to 500`; empty for `distinct`. */
  readonly summary: string;
  /** How many different values there are, those that are missing aside. */
  readonly distinct: number;
  /** All values in order, when they are few, short and different: the names of the rows. */
  readonly labels?: readonly string[];
  /** Rows that stand out by this column, with how much. */
  readonly unusual: ReadonlyMap<number, number>;
}

/** Words by which a value calls for attention. */
const ALARM =
  /error|fail|exception|denied|timeout|timed out|critical|fatal|panic|invalid|refused|unauthori|corrupt|overdue|suspend|blocked|rejected|crash|expired|degraded|unhealthy|evicted|backoff|oomkilled|revoked|fraud|anomal|violation|warning/i;

/** Most different values that are listed with their counts. */
const MAX_CATEGORIES = 24;

/** In short tables these many are listed though they hardly repeat. */
const FEW_CATEGORIES = 10;

/** Tables up to this many rows have the values listed of a column that names the rows. */
const MAX_LABELS = 100;
const MAX_LABEL = 48;

/** From so many rows on, those with the least and the most of something are shown. */
const MANY_ROWS = 30;

/** Cells are compared by their beginning, long ones being texts. */
const MAX_CELL = 200;

/** @param cells the cells of all rows, undefined where a row has none */
export function profileColumn(name: string, cells: readonly (string | undefined)[]): ColumnProfile {
  return new ColumnProfiler(name, cells).profile();
}

class ColumnProfiler {
  private readonly rows = new Map<string, number[]>();
  private readonly filled: number[] = [];
  private readonly missing: number[] = [];
  private readonly empty: number[] = [];
  private readonly unusual = new Map<number, number>();
  private readonly few: number;

  constructor(
    private readonly name: string,
    private readonly cells: readonly (string | undefined)[],
  ) {
    this.few = Math.max(2, Math.floor(cells.length * 0.05));
    cells.forEach((cell, row) => this.sort(cell, row));
  }

  private sort(cell: string | undefined, row: number): void {
    if (cell === undefined) {
      this.missing.push(row);
      return;
    }
    (isEmpty(cell) ? this.empty : this.filled).push(row);
    const value = this.value(row);
    const same = this.rows.get(value);
    if (same) {
      same.push(row);
    } else {
      this.rows.set(value, [row]);
    }
  }

  private value(row: number): string {
    return (this.cells[row] ?? '').slice(0, MAX_CELL);
  }

  profile(): ColumnProfile {
    const total = this.cells.length;
    this.markMinority(this.missing, total);
    this.markMinority(this.empty, total - this.missing.length);
    this.markMinority(this.filled, total);
    const distinct = this.rows.size;
    const base = { name: this.name, distinct, unusual: this.unusual };
    if (distinct === 1 && this.missing.length === 0) {
      return { ...base, kind: 'constant', summary: this.shown([...this.rows.keys()][0] ?? '') };
    }
    const quantities = this.quantities();
    if (
      distinct <= MAX_CATEGORIES &&
      (distinct <= Math.max(2, total / 3) || (distinct <= FEW_CATEGORIES && distinct < total / 1.5))
    ) {
      this.markRare();
      if (quantities) {
        this.markOutliers(quantities);
      }
      return { ...base, kind: 'categories', summary: this.categories() };
    }
    if (quantities) {
      this.markOutliers(quantities);
      this.markEnds(quantities);
      return { ...base, kind: 'range', summary: this.range(quantities) };
    }
    this.markTexts();
    return { ...base, kind: 'distinct', summary: this.absence(), labels: this.labels() };
  }

  private labels(): readonly string[] | undefined {
    const values = [...this.rows.keys()];
    if (this.cells.length > MAX_LABELS || values.length < this.cells.length) {
      return undefined;
    }
    // The first and the last of a numbered series tell the others.
    const series = new Set(values.map((value) => value.replace(/\d{1,30}/g, '#'))).size;
    return series > values.length / 4 && values.every((value) => value.length <= MAX_LABEL)
      ? values
      : undefined;
  }

  /** A few rows that differ from nearly all others. */
  private markMinority(rows: readonly number[], of: number): void {
    if (rows.length > 0 && rows.length <= this.few && rows.length < of / 2) {
      this.mark(rows.slice(0, 10), 3);
    }
  }

  private markRare(): void {
    const rare = [...this.rows.values()].filter(
      (rows) => rows.length <= Math.max(1, this.cells.length * 0.03),
    );
    for (const rows of rare) {
      this.mark(rows.slice(0, 4), rare.length > 6 ? 1 : 3);
    }
    this.markAlarms();
  }

  private markAlarms(): void {
    const alarms = [...this.rows].filter(([value]) => ALARM.test(value));
    const count = alarms.reduce((sum, [, rows]) => sum + rows.length, 0);
    if (count <= this.cells.length * 0.25) {
      alarms.forEach(([, rows]) => this.mark(rows.slice(0, 20), 3));
    }
  }

  /** Numbers or times of the column, or undefined when it is neither; the few others stand out. */
  private quantities(): Quantity[] | undefined {
    for (const read of [numberOf, timeOf]) {
      const quantities = this.filled.flatMap((row) => {
        const amount = read(this.cells[row] ?? '');
        return amount === undefined ? [] : [{ row, amount }];
      });
      if (quantities.length >= 3 && quantities.length >= this.filled.length * 0.9) {
        const numeric = new Set(quantities.map(({ row }) => row));
        this.markMinority(
          this.filled.filter((row) => !numeric.has(row)),
          this.filled.length,
        );
        return quantities.sort((a, b) => a.amount - b.amount);
      }
    }
    return undefined;
  }

  private markOutliers(sorted: readonly Quantity[]): void {
    this.markSigns(sorted);
    const { low, high } = quartiles(sorted);
    const below = sorted.filter(({ amount }) => amount < low);
    const above = sorted.filter(({ amount }) => amount > high).reverse();
    for (const side of [below, above]) {
      side.slice(0, 5).forEach(({ row }, rank) => this.mark([row], rank < 2 ? 3 : 2));
    }
  }

  /** The least and the most. */
  private markEnds(sorted: readonly Quantity[]): void {
    if (this.cells.length >= MANY_ROWS) {
      [sorted[0], sorted.at(-1)].forEach((end) => this.mark(end ? [end.row] : [], 1));
    }
  }

  /** Nothing where others have something, and less than nothing. */
  private markSigns(quantities: readonly Quantity[]): void {
    for (const isOdd of [(amount: number) => amount === 0, (amount: number) => amount < 0]) {
      const rows = quantities.filter(({ amount }) => isOdd(amount)).map(({ row }) => row);
      this.markMinority(rows, quantities.length);
    }
  }

  private markTexts(): void {
    const shapes = new Map<string, number[]>();
    for (const row of this.filled) {
      const shape = shapeOf(this.value(row));
      const rows = shapes.get(shape);
      if (rows) {
        rows.push(row);
      } else {
        shapes.set(shape, [row]);
      }
    }
    const common = [...shapes.values()].reduce((most, rows) => Math.max(most, rows.length), 0);
    if (common >= this.filled.length * 0.9) {
      [...shapes.values()]
        .filter((rows) => rows.length < common)
        .forEach((rows) => this.mark(rows.slice(0, 3), 2));
    }
    const sizes = this.filled.map((row) => ({ row, amount: this.cells[row]?.length ?? 0 }));
    sizes.sort((a, b) => a.amount - b.amount);
    const limit = quartiles(sizes).high + 20;
    sizes
      .filter(({ amount }) => amount > limit)
      .slice(-2)
      .forEach(({ row }) => this.mark([row], 1));
    if (this.rows.size >= this.filled.length * 0.95) {
      const twice = [...this.rows.values()].filter((rows) => rows.length > 1);
      twice.slice(0, 4).forEach((rows) => this.mark(rows.slice(0, 3), 2));
    }
    this.markAlarms();
  }

  private mark(rows: readonly number[], weight: number): void {
    rows.forEach((row) => this.unusual.set(row, (this.unusual.get(row) ?? 0) + weight));
  }

  private categories(): string {
    const values = [...this.rows].sort(([, a], [, b]) => b.length - a.length);
    const parts = values.map(([value, rows]) => `${this.shown(value)} ${rows.length}`);
    return this.missing.length > 0 ? `${parts.join(', ')}, missing ${this.missing.length}` : parts.join(', ');
  }

  private range(sorted: readonly Quantity[]): string {
    const first = this.shown(this.value(sorted[0]?.row ?? 0));
    const last = this.shown(this.value(sorted.at(-1)?.row ?? 0));
    const absence = this.absence();
    return `${first} to ${last}${absence === '' ? '' : `, ${absence}`}`;
  }

  /** How many cells are empty or missing. */
  private absence(): string {
    const parts: string[] = [];
    if (this.empty.length > 0) {
      parts.push(`${this.shown(this.value(this.empty[0] ?? 0)) || 'empty'} ${this.empty.length}`);
    }
    if (this.missing.length > 0) {
      parts.push(`missing ${this.missing.length}`);
    }
    return parts.join(', ');
  }

  private shown(value: string): string {
    return value.length > 80 ? `${value.slice(0, 80)}…` : value;
  }
}
