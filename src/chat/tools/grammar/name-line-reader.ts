import { type OfferedTools } from '../calls/offered-tools.js';
import { type AnswerText } from '../text/answer-text.js';
import { type Input, type Parsing } from '../text/input.js';
import { type PassingText } from '../text/passing-text.js';
import { ACTION_FORM, NAME_LINE_FORM, PLAIN_FORM } from '../text/plain-forms.js';
import { skipLiteral } from '../text/scan.js';
import { type CallForms } from './call-forms.js';
import { type Attempt } from './fence-reader.js';
import { readHeldNameLine, readHeldPython } from './held-call.js';
import { type ParseContext } from './parse-context.js';
import { turnHeaderLength } from './stray-markup.js';

/** What Functionary writes at the beginning in front of text for the caller. */
const TO_CALLER = '>>>all\n';

/** How a call begins. Groups of both patterns 1: the name, of the whole one 2: the first key. */
interface Head {
  readonly whole: RegExp;
  /** Any beginning of it. */
  readonly partial: RegExp;
  /** What may stand in front of the name. */
  readonly prefixes?: readonly string[];
}

/** A name, mostly on a line of its own, and an object behind it, perhaps in a fence. */
const NAME_LINE: Head = {
  whole: /^(?:>>>|\*\*|`)?([\w.-]+)(?:\*\*|`)?:?(?:\r?\n\s*(?:```(?:json)?\s*)?)?\{\s*(?:"([^"]+)"\s*:|\})/,
  partial:
    /^(?:>{1,3}|\*{1,2}|`|(?:>>>|\*\*|`)?([\w.-]+)(?:\*{0,2}|`):?(?:\r?|(?:\r?\n\s*(?:`{0,3}|```(?:j|js|jso|json)?\s*))?(?:\{\s*(?:"[^"]*"?\s*)?)?))$/,
};

/** A name and the tags of its arguments, which GLM writes behind a prompt that holds the opening tag. */
const TAGGED: Head = {
  whole: /^([\w.-]+)\s*<arg_key>\s*([^<>]+?)\s*<\/arg_key>/,
  partial: /^([\w.-]+)(?:\s*(?:<[a-z_]*(?:>[^<>]*(?:<\/?[a-z_]*)?)?)?)?$/,
};

/** A call in Python, perhaps printed, as Gemini writes: `print(default_api.f(a=1))`. */
const PYTHON: Head = {
  whole: /^(?:print\()?(?:default_api\.)?([\w.-]+)\(\s*(?:(\w+)\s*=|\))/,
  partial: /^(?:print\()?(?:default_api\.)?([\w.-]+)(?:\(\s*(?:\w+\s*)?)?$/,
  prefixes: ['print(default_api.', 'default_api.'],
};

/** `Action: f\nAction Input: {"a":` of ReAct, and `Tool: f\nArguments: {"a":`. */
const ACTION: Head = {
  whole:
    /^(?:Action|Tool(?: [Nn]ame)?):[^\S\n]*([\w.-]+)[^\S\n]*\n[^\S\n]*(?:Action Input|Tool Input|Input|Arguments|Args):\s*\{\s*(?:["']([^"']+)["']\s*:|\})/,
  partial:
    /^[AT][a-z]*(?: [Nn]?[a-z]*)?(?::[^\S\n]*(?:([\w.-]+)[^\S\n]*(?:\n[^\S\n]*(?:[A-Z][\w ]*(?::\s*(?:\{\s*(?:["'][^"']*["']?\s*)?)?)?)?)?)?)?$/,
};

const MAX_LENGTH = 256;

/**
 * Reads calls whose name begins a line, with arguments behind it of which the first is a parameter of that tool:
 * `>>>f\n{"a": 1}` of Functionary and the lines of ReAct anywhere, and as a whole answer `f\n{"a": 1}` of GLM 4,
 * `f(a=1)` of Granite 4, and `f{"a": 1}`, as servers leave it that drop the tokens of Mistral. Tags behind the name need no
 * more than to begin the answer.
 */
export class NameLineReader {
  /** Whether the answer is one of Functionary, in which a prompt may follow text in the same line. */
  isPrompted = false;

  constructor(
    private readonly context: ParseContext,
    private readonly plain: PassingText,
    private readonly forms: CallForms,
    private readonly attempt: Attempt,
  ) {}

  /** Reads what stands at the very beginning. */
  *readStart(): Parsing<void> {
    const { input, tools } = this.context;
    const header = yield* turnHeaderLength(this.context);
    if (header > 0) {
      input.keep();
      input.at += header;
      yield* this.attempt(this.forms.behindThinking(true));
    } else if (yield* skipLiteral(input, TO_CALLER)) {
      this.isPrompted = true;
    } else if (input.text.charAt(input.at) === '>') {
      return;
    } else if (yield* begins(input, tools, NAME_LINE)) {
      input.keep();
      yield* this.attempt(readHeldNameLine(this.context, NAME_LINE_FORM));
    } else if (yield* begins(input, tools, TAGGED)) {
      input.keep();
      yield* this.attempt(this.forms.nameLine(PLAIN_FORM, true));
    } else if (yield* begins(input, tools, PYTHON)) {
      input.keep();
      yield* this.attempt(readHeldPython(this.context));
    }
  }

  /** Reads a call at the cursor, within an answer. @returns whether there may be one */
  *readAt(text: AnswerText): Parsing<boolean> {
    const isAction = /[AT]/.test(this.context.input.text.charAt(this.context.input.at));
    return yield* isAction ? this.readAction(text) : this.readPrompted(text);
  }

  /** Reads a call behind `>>>` that begins a line or goes on with such an answer. @returns whether there is one */
  private *readPrompted({ isAfterCall }: AnswerText): Parsing<boolean> {
    const { input, tools } = this.context;
    const isPlace = isAfterCall || this.isPrompted || this.plain.line.isBlank;
    const mayBegin = input.text.charAt(input.at) === '>' && isPlace;
    const isCall = mayBegin && (yield* begins(input, tools, NAME_LINE));
    if (isCall) {
      input.keep();
      yield* this.attempt(this.forms.nameLine(NAME_LINE_FORM));
    }
    return isCall;
  }

  /** Reads a call in lines of ReAct, which is one if nothing presents or follows it. @returns whether there may be one */
  private *readAction({ isBlank }: AnswerText): Parsing<boolean> {
    const { leadIn } = this.plain;
    const { input, tools } = this.context;
    const mayBegin = isBlank || leadIn.endsInLineBreak;
    if (!mayBegin || !(yield* begins(input, tools, ACTION))) {
      return false;
    }
    const isExample = leadIn.explains() || leadIn.mayBePresenting;
    if (!isExample) {
      input.keep();
      yield* this.attempt(readHeldNameLine(this.context, ACTION_FORM));
    }
    return !isExample;
  }
}

/** Whether such a call begins at the cursor. Consumes nothing. */
function* begins(input: Input, tools: OfferedTools, head: Head): Parsing<boolean> {
  for (;;) {
    const text = input.text.slice(input.at, input.at + MAX_LENGTH);
    const [, name, key] = head.whole.exec(text) ?? [];
    if (name !== undefined) {
      const tool = tools.offers(name) ? tools.resolve(name) : undefined;
      return tool !== undefined && (key === undefined ? tool.required.length === 0 : tool.declares(key));
    }
    const [begun, begunName = ''] = head.partial.exec(text) ?? [];
    const mayBecome =
      (begun !== undefined && tools.mayOffer(begunName)) ||
      head.prefixes?.some((prefix) => prefix.startsWith(text)) === true;
    if (!mayBecome || input.isEnded || text.length === MAX_LENGTH) {
      return false;
    }
    yield;
  }
}
