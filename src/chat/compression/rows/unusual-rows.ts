import { templateOf } from '../kit/line-template.js';
import { anyWord } from '../kit/pattern-table.js';
import {
  cellNumber,
  endingOf,
  firstPart,
  isEmpty,
  type Quantity,
  quartiles,
  shapeOf,
} from './cell-values.js';
import { type ColumnCells, type ColumnQuantities } from './column-cells.js';

/**
 * Weights of a mark. The rows with the highest sums over all columns are shown, so that one sure sign outweighs two
 * that every table has somewhere.
 */
const SURE = 3;
/** Weight of a sign that some tables have somewhere. */
export const LIKELY = 2;
/** The ends of a range, the longest texts, and rare values where many are rare. */
const SLIGHT = 1;

/** Share of the rows up to which a few that differ from nearly all others stand out, but always two. */
const MINORITY_SHARE = 0.05;
const MIN_MINORITY = 2;
const MAX_MINORITY_MARKS = 10;

/** Share of the rows up to which a category is rare. With more than six rare ones, rarity says little. */
const RARE_SHARE = 0.03;
const FEW_RARE = 6;
const MAX_RARE_MARKS = 4;

/** Words, and parts of words, by which a value calls for attention. */
export const ALARM_VALUES: readonly string[] = [
  ...['error', 'fail', 'exception', 'critical', 'fatal', 'panic', 'crash', 'oomkilled', 'backoff'],
  ...['timeout', 'timed out', 'denied', 'refused', 'rejected', 'unauthori', 'blocked', 'revoked'],
  ...['invalid', 'corrupt', 'violation', 'warning', 'degraded', 'unhealthy', 'evicted'],
  ...['overdue', 'suspend', 'expired', 'fraud', 'anomal', 'defunct'],
];
const ALARM = anyWord(ALARM_VALUES, 'i');

/** Share of the rows beyond which such words are what the column is about, and alarm nobody. */
const MAX_ALARM_SHARE = 0.25;
const MAX_ALARM_MARKS = 20;

/** Beginning of a value that is searched for them: long ones are texts. */
const MAX_ALARM_CHARS = 200;

/** Outliers marked on each side, and how many of them surely. */
const MAX_OUTLIERS = 5;
const SURE_OUTLIERS = 2;

/** From this many rows on the least and the most are worth a row each. */
const MANY_ROWS = 30;

/** Share of texts up to which their shape is rare, and share of those with frequent shapes from which on it stands out. */
const RARE_SHAPE_SHARE = 0.1;
const COMMON_SHAPE_SHARE = 0.9;
const MAX_SHAPE_MARKS = 3;

/** Different words beside the numbers of a column, and the share of its cells that must be words. */
const MAX_WORDS = 12;
const MIN_WORDS_SHARE = 0.25;

/** A text is long when it exceeds the upper fence by this many characters; the two longest of these are marked. */
const LONG_TEXT_CHARS = 20;
const MAX_LONG_TEXTS = 2;

/** Share of values that occur once from which on a repeated one stands out. */
const UNIQUE_SHARE = 0.95;
const MAX_REPEATED_VALUES = 4;
const MAX_REPEATED_MARKS = 3;

/** The words of a message without its numbers and paths; empty for a single word. */
function templateOfCell(cell: string): string {
  return cell.includes(' ') ? templateOf(cell.slice(0, MAX_ALARM_CHARS)) : '';
}

/** Parts of a word that are compared, and the share of the rows up to which those with another part stand out. */
const MAX_PARTS = 8;
const OTHER_PART_SHARE = 0.01;

/** Parts of a single word, such as `0.0.0.0:8021->8080/tcp`. */
function partsOf(cell: string): readonly string[] {
  return /\s/.test(cell) ? [] : cell.slice(0, MAX_ALARM_CHARS).split(/[^A-Za-z0-9]+/, MAX_PARTS);
}

/** Finds the rows of one column that stand out, and by how much. */
export class UnusualRows {
  /** Sum of the weights by row. */
  readonly weights = new Map<number, number>();
  private readonly minority: number;

  private readonly cells: ColumnCells;

  constructor(cells: ColumnCells) {
    this.cells = cells;
    this.minority = Math.max(MIN_MINORITY, Math.floor(cells.total * MINORITY_SHARE));
  }

  /** Rows without a cell where nearly all have one, empty ones where nearly all are filled, and the reverse. */
  markAbsences(): void {
    const { total, missing, empty, filled } = this.cells;
    this.markMinority(missing, total);
    this.markMinority(empty, total - missing.length);
    this.markMinority(filled, total);
  }

  /** Cells that are no number, or no time, where most are: of each value the first, and the others where few are. */
  markOthers({ others }: ColumnQuantities): void {
    const rows = [...others.values()];
    const first = rows.flatMap((each) => each.slice(0, 1));
    this.mark(first.slice(0, MAX_MINORITY_MARKS), SURE);
    this.markMinority(
      rows.flatMap((each) => each.slice(1)),
      this.cells.filled.length,
    );
  }

  /** Rare categories, and those that call for attention. */
  markCategories(): void {
    const most = Math.max(1, this.cells.total * RARE_SHARE);
    const rare = [...this.cells.rowsByValue.values()].filter((rows) => rows.length <= most);
    for (const rows of rare) {
      this.mark(rows.slice(0, MAX_RARE_MARKS), rare.length > FEW_RARE ? SLIGHT : SURE);
    }
    this.markAlarms();
  }

  /** Numbers far from the others, and zeros and negative ones where nearly all are positive. */
  markOutliers(sorted: readonly Quantity[]): void {
    for (const isOdd of [(amount: number) => amount === 0, (amount: number) => amount < 0]) {
      const rows = sorted.filter(({ amount }) => isOdd(amount)).map(({ row }) => row);
      this.markMinority(rows, sorted.length);
    }
    const { low, high } = quartiles(sorted);
    const below = sorted.filter(({ amount }) => amount < low);
    const above = sorted.filter(({ amount }) => amount > high).reverse();
    for (const side of [below, above]) {
      side
        .slice(0, MAX_OUTLIERS)
        .forEach(({ row }, rank) => this.mark([row], rank < SURE_OUTLIERS ? SURE : LIKELY));
    }
  }

  /** The least and the most of a long column. */
  markEnds(sorted: readonly Quantity[]): void {
    if (this.cells.total >= MANY_ROWS) {
      [sorted[0], sorted.at(-1)].forEach((end) => this.mark(end ? [end.row] : [], SLIGHT));
    }
  }

  /** Texts of another shape, beginning, extension or other words, very long ones, repeated ones, and those that call for attention. */
  markTexts(): void {
    this.markShapes();
    this.markParts();
    this.markRareWords();
    this.markLongTexts();
    this.markRepeated();
    this.markAlarms();
  }

  private markShapes(): void {
    const { length } = this.cells.filled;
    for (const kindOf of [shapeOf, firstPart, endingOf, templateOfCell]) {
      const kinds = this.cells.groupFilled(kindOf);
      const rare = kinds.filter((rows) => rows.length < length * RARE_SHAPE_SHARE);
      const common = length - rare.reduce((sum, rows) => sum + rows.length, 0);
      if (common >= length * COMMON_SHAPE_SHARE) {
        rare.forEach((rows) => this.mark(rows.slice(0, MAX_SHAPE_MARKS), LIKELY));
      }
    }
  }

  /** Words with another part than all others, which have as many, in its place: the one port that leads elsewhere. */
  private markParts(): void {
    const { filled } = this.cells;
    const words = filled.map((row) => ({ row, parts: partsOf(this.cells.value(row)) }));
    const width = words[0]?.parts.length ?? 0;
    if (filled.length < MANY_ROWS || width < 2 || words.some(({ parts }) => parts.length !== width)) {
      return;
    }
    const most = Math.max(1, Math.floor(filled.length * OTHER_PART_SHARE));
    for (let at = 0; at < width; at++) {
      const groups = [...Map.groupBy(words, ({ parts }) => parts[at]).values()];
      const [, ...others] = groups.sort((a, b) => b.length - a.length);
      const rows = others.flat().map(({ row }) => row);
      this.mark(rows.length <= most ? rows : [], LIKELY);
    }
  }

  /** Words that hardly any row has where few words stand beside numbers: one `off` among `on`, `1024` and `200`. */
  private markRareWords(): void {
    const { rowsByValue, filled, total } = this.cells;
    const words = [...rowsByValue].filter(([value]) => !isEmpty(value) && cellNumber(value) === undefined);
    const count = words.reduce((sum, [, rows]) => sum + rows.length, 0);
    if (
      words.length <= MAX_WORDS &&
      words.length < rowsByValue.size &&
      count >= filled.length * MIN_WORDS_SHARE
    ) {
      const rare = words.map(([, rows]) => rows).filter((rows) => rows.length <= total * RARE_SHARE);
      rare.forEach((rows) => this.mark(rows.slice(0, MAX_RARE_MARKS), LIKELY));
    }
  }

  private markLongTexts(): void {
    const sizes = this.cells.filled.map((row) => ({ row, amount: this.cells.size(row) }));
    sizes.sort((a, b) => a.amount - b.amount);
    const limit = quartiles(sizes).high + LONG_TEXT_CHARS;
    sizes
      .filter(({ amount }) => amount > limit)
      .slice(-MAX_LONG_TEXTS)
      .forEach(({ row }) => this.mark([row], SLIGHT));
  }

  private markRepeated(): void {
    const { rowsByValue, filled } = this.cells;
    if (rowsByValue.size >= filled.length * UNIQUE_SHARE) {
      [...rowsByValue.values()]
        .filter((rows) => rows.length > 1)
        .slice(0, MAX_REPEATED_VALUES)
        .forEach((rows) => this.mark(rows.slice(0, MAX_REPEATED_MARKS), LIKELY));
    }
  }

  private markAlarms(): void {
    const alarms = [...this.cells.rowsByValue].filter(([value]) =>
      ALARM.test(value.slice(0, MAX_ALARM_CHARS)),
    );
    const count = alarms.reduce((sum, [, rows]) => sum + rows.length, 0);
    if (count <= this.cells.total * MAX_ALARM_SHARE) {
      alarms.forEach(([, rows]) => this.mark(rows.slice(0, MAX_ALARM_MARKS), SURE));
    }
  }

  private markMinority(rows: readonly number[], of: number): void {
    if (rows.length > 0 && rows.length <= this.minority && rows.length < of / 2) {
      this.mark(rows.slice(0, MAX_MINORITY_MARKS), SURE);
    }
  }

  private mark(rows: readonly number[], weight: number): void {
    rows.forEach((row) => this.weights.set(row, (this.weights.get(row) ?? 0) + weight));
  }
}
