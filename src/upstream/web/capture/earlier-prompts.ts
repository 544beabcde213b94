import { z } from 'zod';

/** Prompts of an account that are remembered. */
const KEPT = 8;
/** Characters at the end of a prompt that are searched for its mark: what comes before may be common to many. */
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
   * Remembers a prompt.
   * @param body in which the page sends it
   * @returns whether it can be told from others
   */
  note(prompt: string, body: string): boolean {
    const mark = markOf(prompt);
    if (mark !== undefined) {
      const number = (this.marks.at(-1)?.number ?? 0) + 1;
      this.marks = [...this.marks, { mark, copies: copiesOf(mark, prompt, body), number }].slice(-KEPT);
    }
    return mark !== undefined;
  }

  /** The marks, to be kept with the account's login. */
  latest(): readonly NotedMark[] {
    return this.marks;
  }

  /** Adds marks that were kept, by this gateway or by another that used the account. */
  adopt(kept: readonly NotedMark[]): void {
    const known = new Set(this.marks.map(({ mark }) => mark));
    this.marks = [...this.marks, ...kept.filter(({ mark }) => !known.has(mark))]
      .sort((one, other) => one.number - other.number)
      .slice(-KEPT);
  }

  /**
   * Whether an outgoing body holds an earlier prompt that is no part of this one. A mark that stood in its own body more
   * often than the page sends a prompt is text of the site, e.g. a system message that a caller has quoted.
   */
  areIn(body: string, prompt: string): boolean {
    const own = markOf(prompt);
    const usual = own === undefined ? 1 : copiesOf(own, prompt, body);
    return this.marks.some(
      ({ mark, copies }) => copies <= usual && body.includes(mark) && !prompt.includes(mark),
    );
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

/** The longest run of plain words; undefined if it is too short to be told from any other. */
function markOf(prompt: string): string | undefined {
  const runs = prompt.slice(-SEARCHED).match(PLAIN) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  return longest.length < MIN_MARK ? undefined : longest.slice(-MAX_MARK);
}
