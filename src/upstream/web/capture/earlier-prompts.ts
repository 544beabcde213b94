import { z } from 'zod';

/** Prompts of an account that are remembered. */
const KEPT = 8;
/** Marks of one prompt: some of them are common to many prompts, such as the last line of every transcript. */
const MARKS = 6;
/** Characters at the end of a prompt that are searched for its marks: what comes before may be common to many. */
const SEARCHED = 4000;
const MIN_MARK = 24;
const MAX_MARK = 120;
/** Words that stand in JSON, in plain text and in most other bodies as they are. */
const PLAIN = /[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)*/gu;

/**
 * Marks of the prompts that an account has sent lately. Each prompt gets a conversation of its own; a page that sends
 * an earlier one along shows one caller's text to another.
 */
export class EarlierPrompts {
  /** In the order of their numbers. */
  private marks: readonly NotedMark[] = [];

  /**
   * Remembers a prompt by what tells it from the earlier ones. Marks that stand in it as well are of this prompt, too, so
   * that what is common to all prompts stays known and does not take the place of what is this one's own.
   * @param body in which the page sends it
   * @returns whether it can be told from others
   */
  note(prompt: string, body: string): boolean {
    const runs = marksOf(prompt);
    const number = (this.marks.at(-1)?.number ?? 0) + 1;
    const [text, sent] = [oneLine(prompt), oneLine(body)];
    const again = this.marks.filter(({ mark }) => text.includes(mark));
    const known = new Set(again.map(({ mark }) => mark));
    const added = runs
      .filter((mark) => !known.has(mark))
      .slice(0, MARKS)
      .map((mark) => ({ mark, copies: copiesOf(mark, text, sent), number }));
    const others = this.marks.filter(({ mark }) => !known.has(mark));
    this.keep([...others, ...again.map((noted) => ({ ...noted, number })), ...added]);
    return runs.length > 0;
  }

  /** The marks, to be kept with the account's login. */
  latest(): readonly NotedMark[] {
    return this.marks;
  }

  /** Adds marks that were kept, by this gateway or by another that used the account. */
  adopt(kept: readonly NotedMark[]): void {
    const known = new Set(this.marks.map(({ mark }) => mark));
    this.keep(
      [...this.marks, ...kept.filter(({ mark }) => !known.has(mark))].sort(
        (one, other) => one.number - other.number,
      ),
    );
  }

  /**
   * Whether an outgoing body holds an earlier prompt that is no part of this one. A mark that stood in its own body more
   * often than the page sends a prompt is text of the site, e.g. a system message that a caller has quoted.
   */
  areIn(body: string, prompt: string): boolean {
    if (this.marks.length === 0) {
      return false;
    }
    const [text, sent] = [oneLine(prompt), oneLine(body)];
    const [own] = marksOf(prompt);
    const usual = own === undefined ? 1 : copiesOf(own, text, sent);
    return this.marks.some(
      ({ mark, copies }) => copies <= usual && sent.includes(mark) && !text.includes(mark),
    );
  }

  /** Keeps the marks of the latest prompts. */
  private keep(marks: readonly NotedMark[]): void {
    const first = (marks.at(-1)?.number ?? 0) - KEPT;
    this.marks = marks.filter(({ number }) => number > first).slice(-KEPT * MARKS);
  }
}

const notedMark = z.object({
  mark: z.string(),
  /** How often the body that brought it held the prompt. */
  copies: z.number(),
  /** Counts the account's prompts, since clocks of different gateways would not tell their order. */
  number: z.number(),
});
export const notedMarks = z.array(notedMark);
type NotedMark = Readonly<z.output<typeof notedMark>>;

/** How often a body holds a prompt, at least once, since it may hold it in a form that cannot be read. */
function copiesOf(mark: string, prompt: string, body: string): number {
  return Math.max(1, occurrences(body, mark) / occurrences(prompt, mark));
}

function occurrences(text: string, mark: string): number {
  let count = 0;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) {
    count++;
  }
  return count;
}

/** Runs of plain words by which a prompt can be told from others, the longest first. */
export function marksOf(prompt: string): string[] {
  const runs = prompt.slice(-SEARCHED).match(PLAIN) ?? [];
  const marks = runs
    .filter(({ length }) => length >= MIN_MARK)
    .sort((one, other) => other.length - one.length);
  return [...new Set(marks.map((run) => run.slice(-MAX_MARK)))];
}

/** Sites and editors change white space: a prompt holds a mark, whatever stands between its words. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
