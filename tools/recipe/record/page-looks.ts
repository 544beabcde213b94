import { type PageLook } from './page/look-at-page.js';
import { anyOf } from './page/page-script.js';

/** Selectors of an answer on its page, and of what shows while it is written, if they could be told. */
export interface AnswerPlace {
  readonly answer?: string;
  readonly busy?: string;
}

/** Words in the names of what shows while a site answers. */
const BUSY_WORDS = anyOf([
  'stop', // aria-label="Stop generating"
  'cancel', // title="Cancel"
  'busy', // aria-busy="true"
  'running', // data-state="running"
  'loading', // class="loading"
  'spinner', // class="q-spinner"
  'progress', // class="progress"
  'typing', // class="typing-dots"
  'stream', // class="is-streaming"
  'generating', // data-status="generating"
  'thinking', // class="thinking"
  'pending', // class="pending"
]);

/** Compares what a page shows before a prompt, while it is answered and then. */
export class PageLooks {
  private last: PageLook = { text: '', marks: [], answer: null };
  private before = this.last;
  /** How often each mark was seen since the last input. */
  private readonly counts = new Map<string, number>();

  /** Lines that the page showed before the last input. */
  get linesBefore(): string[] {
    return this.before.text.split('\n').map((line) => line.trim());
  }

  /** What the page shows since the last input. */
  get newText(): string {
    const before = new Set(this.linesBefore);
    return this.last.text
      .split('\n')
      .filter((line) => !before.has(line.trim()))
      .join('\n');
  }

  get place(): AnswerPlace {
    const still = new Set([...this.before.marks, ...this.last.marks]);
    const busy = [...this.counts]
      .filter(([mark]) => !still.has(mark) && BUSY_WORDS.test(mark))
      .sort(([, a], [, b]) => b - a);
    const { answer } = this.last;
    return { ...(answer !== null && { answer }), ...(busy[0] && { busy: busy[0][0] }) };
  }

  add(look: PageLook): void {
    this.last = look;
    look.marks.forEach((mark) => this.counts.set(mark, (this.counts.get(mark) ?? 0) + 1));
  }

  /** A field of the page was changed. */
  input(): void {
    this.before = this.last;
    this.counts.clear();
  }
}
