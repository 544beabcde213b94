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
  private readonly marks: NotedMark[] = [];

  /**
   * Remembers a prompt.
   * @param body in which the page sends it
   * @returns whether it can be told from others
   */
  note(prompt: string, body: string): boolean {
    const mark = markOf(prompt);
    if (mark !== undefined) {
      this.marks.push({ mark, copies: copiesOf(mark, prompt, body) });
      this.marks.splice(0, this.marks.length - KEPT);
    }
    return mark !== undefined;
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

/** A mark, and how often the body that brought it held the prompt. */
interface NotedMark {
  readonly mark: string;
  readonly copies: number;
}

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
