import { type DecisionDifference } from '../chat/record/decisions.js';
import { type LoggedRerun } from './rerun-log.js';

/** Differences of one request that are shown; others are counted. */
const MAX_SHOWN = 5;
/** Characters of a value that are shown, and how many of them stand before the first that differs. */
const SHOWN_CHARACTERS = 160;
const SAME_CHARACTERS = 30;

const NOT_RUN = 'could not be run';

/** Tells a person what came of requests that were run again, and counts it by decision. */
export class RerunReport {
  /** Requests, and the first of them, by what is decided differently. */
  private readonly byDecision = new Map<string, { requests: number; readonly first: string }>();
  private same = 0;
  private different = 0;
  private leftOut = 0;

  /** Whether at least one request was run, or should have been. */
  get hasRun(): boolean {
    return this.same + this.different > 0;
  }

  get isSame(): boolean {
    return this.different === 0;
  }

  /** Counts a request. @returns what is said of it, line by line */
  add({ id, differences, failure, isLeftOut = false }: LoggedRerun): string[] {
    if (isLeftOut) {
      this.leftOut++;
      return [`${id}  left out: the gateway had cut it off`];
    }
    if (failure === undefined && differences.length === 0) {
      this.same++;
      return [`${id}  as before`];
    }
    this.different++;
    const decisions = failure === undefined ? differences.map(({ path }) => withoutPlaces(path)) : [NOT_RUN];
    new Set(decisions).forEach((decision) => this.count(decision, id));
    return failure === undefined
      ? [`${id}  ${differences.length} decided differently`, ...differenceLines(differences)]
      : [`${id}  ${NOT_RUN}: ${failure}`];
  }

  /** How many requests were decided differently, and in what. */
  summary(): string[] {
    const { same, different, leftOut } = this;
    const counts = [
      `${same} as before`,
      `${different} different`,
      ...(leftOut > 0 ? [`${leftOut} left out`] : []),
    ];
    const rows = [...this.byDecision]
      .toSorted(([, a], [, b]) => b.requests - a.requests)
      .map(([decision, { requests, first }]) => [decision, `${requests}`, first] as const);
    return [
      `${same + different + leftOut} requests: ${counts.join(', ')}.`,
      ...(rows.length > 0 ? ['', ...tableLines(['decided differently', 'requests', 'e.g.'], rows)] : []),
    ];
  }

  private count(decision: string, id: string): void {
    const row = this.byDecision.get(decision) ?? { requests: 0, first: id };
    row.requests++;
    this.byDecision.set(decision, row);
  }
}

/** Differences, each with both values from where they begin to differ. */
export function differenceLines(differences: readonly DecisionDifference[], maxShown = MAX_SHOWN): string[] {
  const more = differences.length - maxShown;
  return [
    ...differences.slice(0, maxShown).flatMap(({ path, then, now }) => {
      const values = [then, now].map((value) => JSON.stringify(value) ?? 'nothing');
      const from = Math.max(0, firstDifference(values) - SAME_CHARACTERS);
      const [before, after] = values.map((value) => excerpt(value, from));
      return [`  ${path}`, `    - ${before}`, `    + ${after}`];
    }),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

/** A call or a message like any other: `toolCalls[].arguments`. */
function withoutPlaces(path: string): string {
  return path.replace(/\[\d+\]/g, '[]');
}

function firstDifference([a = '', b = '']: readonly string[]): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) {
    at++;
  }
  return at;
}

function excerpt(text: string, from: number): string {
  const to = from + SHOWN_CHARACTERS;
  const shown = text.slice(from, to).toWellFormed();
  return `${from > 0 ? '…' : ''}${shown}${to < text.length ? `… (${text.length} characters)` : ''}`;
}

function tableLines(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
