import { type OfferedTools } from '../calls/offered-tools.js';
import { type AnswerText } from '../text/answer-text.js';
import { type Input, type Parsing } from '../text/input.js';
import { type PassingText } from '../text/passing-text.js';
import { startsWith } from '../text/scan.js';
import { type CallForms } from './call-forms.js';
import { type Attempt } from './fence-reader.js';
import { readHeldNameLine } from './held-call.js';
import { type ParseContext } from './parse-context.js';

/** What Functionary writes at the beginning in front of text for the caller. */
const TO_CALLER = '>>>all\n';

/** A name, mostly on a line of its own, and the first key of an object behind it. Groups 1: the name, 2: the key. */
const NAME_LINE = /^(?:>>>)?([\w.-]+)(?:\r?\n\s*)?\{\s*(?:"([^"]+)"\s*:|\})/;
const PARTIAL_NAME_LINE = /^(?:>{1,3}|(?:>>>)?([\w.-]+)(?:\r?|(?:\r?\n\s*)?(?:\{\s*(?:"[^"]*"?\s*)?)?))$/;
const MAX_LENGTH = 256;

/**
 * Reads calls whose name is a line of its own, with an object behind it that begins with a parameter of that tool:
 * `>>>f\n{"a": 1}` of Functionary anywhere, `f\n{"a": 1}` of GLM 4 as a whole answer, and `f{"a": 1}`, as servers leave
 * it that drop the tokens of Mistral.
 */
export class NameLineReader {
  constructor(
    private readonly context: ParseContext,
    private readonly plain: PassingText,
    private readonly forms: CallForms,
    private readonly attempt: Attempt,
  ) {}

  /** Reads what stands at the very beginning. */
  *readStart(): Parsing<void> {
    const { input, tools } = this.context;
    if (yield* startsWith(input, TO_CALLER)) {
      input.at += TO_CALLER.length;
    } else if (input.text.charAt(input.at) !== '>' && (yield* beginsNameLine(input, tools))) {
      input.keep();
      yield* this.attempt(readHeldNameLine(this.context));
    }
  }

  /** Reads a call behind `>>>` that begins a line. @returns whether there is one */
  *readPrompted({ isAfterCall }: AnswerText): Parsing<boolean> {
    const { input, tools } = this.context;
    const mayBegin = input.text.charAt(input.at) === '>' && (isAfterCall || this.plain.line.isBlank);
    const begins = mayBegin && (yield* beginsNameLine(input, tools));
    if (begins) {
      input.keep();
      yield* this.attempt(this.forms.nameLine());
    }
    return begins;
  }
}

/** Whether such a call begins at the cursor. Consumes nothing. */
function* beginsNameLine(input: Input, tools: OfferedTools): Parsing<boolean> {
  for (;;) {
    const text = input.text.slice(input.at, input.at + MAX_LENGTH);
    const [, name, key] = NAME_LINE.exec(text) ?? [];
    if (name !== undefined) {
      const tool = tools.offers(name) ? tools.resolve(name) : undefined;
      return tool !== undefined && (key === undefined ? tool.required.length === 0 : tool.declares(key));
    }
    const [begun, begunName = ''] = PARTIAL_NAME_LINE.exec(text) ?? [];
    if (begun === undefined || input.isEnded || text.length === MAX_LENGTH || !tools.mayOffer(begunName)) {
      return false;
    }
    yield;
  }
}
