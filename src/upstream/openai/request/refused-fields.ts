import {
  holdsWords,
  isAboutMessages,
  saysUnsupported,
  withoutEcho,
  withoutMembers,
  wordsOf,
} from './complaint.js';
import { optionalFields, type OptionalParts } from './optional-fields.js';

/** Fields that the gateway adds by itself; one that a model complains about is left out from then on. */
const HINTS = ['stream_options', 'reasoning_effort', 'chat_template_kwargs'];
/** Fields that callers set and that some models refuse, besides those that are passed on as they came. */
const PARAMS = ['temperature', 'top_p', 'seed', 'max_tokens', 'stop', 'parallel_tool_calls'];
/**
 * Left out of the refused request alone: the refusal may be about the form of the one, its company of tools, or the
 * reasoning beside a demanded call (DeepSeek, Qwen, Kimi), and later callers rely on what the model supports.
 */
const OF_REQUEST = ['response_format', 'tool_choice'];
/** Among the refused fields it stands for the opposite: calls of the history are refused without one (Gemini 3). */
export const THOUGHT_SIGNATURE = 'thought_signature';
const OPTIONAL = [...HINTS, ...PARAMS, ...OF_REQUEST];
const NONE: readonly string[] = [];
/** A complaint of servers about a model, which does not name the field that asked for it. */
const NO_REASONING = /not support (?:thinking|reasoning)\b/i;
/** Ahead of anything that may be an echo. */
const MISSING_SIGNATURE = /^[^'"`:([{<]*missing a thought_signature/i;
/** A complaint about the value of a field, which may have others that are good; not if only the default is. */
const OF_VALUE = /\bvalues?\b|\b(?:must|should) be\b|\bone of\b|_value\b/i;
const DEFAULT_ONLY = /\bonly the default\b/i;
/** Values of a field that are remembered for a model, and the longest one, as JSON. */
const MAX_VALUES = 20;
const MAX_VALUE_CHARS = 200;

/**
 * Optional fields that an upstream's models have refused. "OpenAI format" is no one format: strict servers answer 400
 * to a field that others need, and no list of servers stays right. So a refusal that names such a field is remembered
 * for its model, and the next try leaves it out. One that is about the field's value, or a member of it, is remembered with
 * that value: it may be one caller's mistake.
 */
export class RefusedFields {
  private readonly byModel = new Map<string, Map<string, RefusedValues>>();
  /** Of one request alone. */
  private readonly byRequest = new WeakMap<OptionalParts, readonly string[]>();
  /** What the latest body of a request was without; others may have taught more since. */
  private readonly omitted = new WeakMap<OptionalParts, readonly string[]>();

  /** The fields that a request is to be sent without: most often none. */
  of(request: OptionalParts): readonly string[] {
    const known = this.byModel.get(request.model);
    const own = this.byRequest.get(request) ?? NONE;
    const fields = known === undefined ? own : [...refusedIn(request, known), ...own];
    if (fields.length > 0) {
      this.omitted.set(request, fields);
    }
    return fields;
  }

  /**
   * Whether the complaint names an optional field, so that a retry without it can succeed.
   * @param request the one refused; the same object is sent again
   * @param text the upstream's message with its 400 or 422
   */
  learn(request: OptionalParts, text: string): boolean {
    const fields = optionalFields(request);
    const whole = withoutEcho(text);
    const complaint = withoutMembers(whole, [fields]);
    if (isAboutMessages(complaint)) {
      return false;
    }
    const quoted = wordsOf(request);
    const isOwn = (words: string): boolean => !holdsWords(quoted, words);
    const optional = saysUnsupported(complaint, quoted)
      ? [...new Set([...OPTIONAL, ...Object.keys(request.params.further ?? {})])]
      : HINTS;
    const omitted = this.omitted.get(request) ?? NONE;
    const noReasoning = NO_REASONING.exec(complaint)?.[0];
    const named = optional.filter(
      (field) =>
        fields[field] !== undefined &&
        !omitted.includes(field) &&
        isOwn(field) &&
        (holdsWords(complaint, field) ||
          (field === 'reasoning_effort' && noReasoning !== undefined && isOwn(noReasoning))),
    );
    if (MISSING_SIGNATURE.test(complaint) && !omitted.includes(THOUGHT_SIGNATURE)) {
      named.push(THOUGHT_SIGNATURE);
    }
    const isOfValue = OF_VALUE.test(complaint) && !DEFAULT_ONLY.test(complaint);
    for (const field of named) {
      const isOfMember = withoutMembers(whole, [{ [field]: fields[field] }]) !== whole;
      this.refuse(request, field, isOfValue || isOfMember ? valueOf(fields, field) : undefined);
    }
    return named.length > 0;
  }

  /** @param value as JSON; undefined if the model takes none */
  private refuse(request: OptionalParts, field: string, value: string | undefined): void {
    if (OF_REQUEST.includes(field) || (value !== undefined && value.length > MAX_VALUE_CHARS)) {
      this.byRequest.set(request, [...(this.byRequest.get(request) ?? NONE), field]);
      return;
    }
    const fields = this.byModel.get(request.model) ?? new Map<string, RefusedValues>();
    this.byModel.set(request.model, fields);
    const known = fields.get(field) ?? NONE;
    if (value === undefined) {
      fields.set(field, 'all');
    } else if (known !== 'all' && !known.includes(value)) {
      fields.set(field, [...known, value].slice(-MAX_VALUES));
    }
  }
}

/** Values of a field, as JSON, that a model refuses. */
type RefusedValues = 'all' | readonly string[];

function refusedIn(request: OptionalParts, known: ReadonlyMap<string, RefusedValues>): string[] {
  const fields = optionalFields(request);
  return [...known].flatMap(([field, values]) =>
    values === 'all' || values.includes(valueOf(fields, field) ?? '') ? [field] : [],
  );
}

/** As JSON; undefined if the field is not sent. */
function valueOf(fields: Readonly<Record<string, unknown>>, field: string): string | undefined {
  return JSON.stringify(fields[field]);
}
