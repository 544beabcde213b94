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
  private readonly marks: string[] = [];

  /** Remembers a prompt, and returns whether it can be told from others. */
  note(prompt: string): boolean {
    const mark = markOf(prompt);
    if (mark !== undefined) {
      this.marks.push(mark);
      this.marks.splice(0, this.marks.length - KEPT);
    }
    return mark !== undefined;
  }

  /** Whether an outgoing body holds an earlier prompt that is no part of this one. */
  areIn(body: string, prompt: string): boolean {
    return this.marks.some((mark) => body.includes(mark) && !prompt.includes(mark));
  }
}

/** The longest run of plain words; undefined if it is too short to be told from any other. */
function markOf(prompt: string): string | undefined {
  const runs = prompt.slice(-SEARCHED).match(PLAIN) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  return longest.length < MIN_MARK ? undefined : longest.slice(-MAX_MARK);
}
