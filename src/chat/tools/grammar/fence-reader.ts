import { CharCode } from '../text/char-code.js';
import { CodePassages } from '../text/code-passages.js';
import { type Parsing } from '../text/input.js';
import { type PassingText } from '../text/passing-text.js';
import { peek } from '../text/scan.js';
import { MAX_UNDECIDED, readFenceLabel } from './call-fence.js';
import { CallForms } from './call-forms.js';
import { readHeldFence } from './held-call.js';
import { namesTool } from './names-tool.js';
import { type ParseContext } from './parse-context.js';

/** Runs a parser of calls, and passes what turns out to be none as text. */
export type Attempt = (parser: Parsing<void>, spaceBehind?: 'pass' | 'keep') => Parsing<void>;

/** Reads code in an answer: inline code and fences, which are text unless a fence holds calls. */
export class FenceReader {
  private readonly code: CodePassages;

  constructor(
    private readonly context: ParseContext,
    private readonly plain: PassingText,
    private readonly forms: CallForms,
    private readonly attempt: Attempt,
  ) {
    this.code = new CodePassages(context.input, (passed) => {
      plain.pass(passed);
    });
  }

  /** Reads from the first backtick or tilde on. */
  *read(mark: string): Parsing<void> {
    const { code, plain } = this;
    const { input, tools } = this.context;
    const isLineStart = plain.line.isBlank;
    input.keep();
    const length = yield* code.run(mark);
    if (!CodePassages.isFence(length) || !(isLineStart || (yield* this.hasLabel(mark)))) {
      plain.passKept();
      if (mark === '`') {
        yield* code.inline(length);
      }
      return;
    }
    const content = !plain.leadIn.explains() && mark === '`' ? yield* readFenceLabel(input) : undefined;
    const mayBeExample = plain.leadIn.mayBePresenting || plain.leadIn.mayGoOn;
    if (content === 'json' && mayBeExample && (yield* namesTool(input, tools))) {
      yield* this.readHeld(mark, length);
    } else if (content) {
      yield* this.readCall(mark, length, content);
    } else {
      const hasLabel = !input.peekKept().endsWith('\n');
      plain.passKept();
      yield* hasLabel ? code.fence(mark, length) : code.fenceBody(mark, length, true);
    }
  }

  /** Whether a label follows backticks, so that they open a fence in the middle of a line: `Action: ```json`. */
  private *hasLabel(mark: string): Parsing<boolean> {
    return mark === '`' && (yield* peek(this.context.input)) !== CharCode.lineFeed;
  }

  /** Reads a fenced call that may be an example: it is one if text follows. */
  private *readHeld(mark: string, length: number): Parsing<void> {
    const held = yield* readHeldFence(this.context.input, mark, length);
    if (held) {
      yield* this.attempt(new CallForms({ ...this.context, input: held }).undeclared('fenced'));
    } else {
      this.plain.leadIn.beginExplaining();
      this.plain.passKept();
    }
  }

  /** Reads a fenced block that may hold calls, from the first character of its content. */
  private *readCall(mark: string, length: number, content: 'json' | 'code'): Parsing<void> {
    const { code, plain } = this;
    const { input, calls } = this.context;
    const totalBefore = calls.total;
    input.cap(MAX_UNDECIDED);
    yield* this.attempt(content === 'json' ? this.forms.undeclared('fenced') : this.forms.code(), 'keep');
    if (plain.isOver) {
      return;
    }
    if (calls.total > totalBefore && (yield* peek(input)) === mark.charCodeAt(0)) {
      yield* code.run(mark);
      input.drop();
      return;
    }
    plain.passKept();
    yield* code.fenceBody(mark, length, plain.line.isBlank);
  }
}
