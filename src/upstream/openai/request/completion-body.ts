import { type UpstreamRequest } from '../../upstream-driver.js';
import { type MessageOrders } from './message-orders.js';

/** Fields that the gateway adds by itself; one that a model complains about is left out from then on. */
const HINTS = ['stream_options', 'reasoning_effort', 'chat_template_kwargs'];
/** Fields that callers set and that some models refuse, besides those that are passed on as they came. */
const PARAMS = ['temperature', 'top_p', 'seed', 'max_tokens', 'stop', 'parallel_tool_calls'];
/**
 * Left out of the refused request alone: the refusal may be about its form, or its company of tools, and later callers
 * rely on what the model supports.
 */
const RESPONSE_FORMAT = 'response_format';
/** Among the refused fields it stands for the opposite: calls of the history are refused without one (Gemini 3). */
const SIGNATURE = 'thought_signature';
/** Signature that Google names for calls whose own is not known. */
const ANY_SIGNATURE = { google: { [SIGNATURE]: 'skip_thought_signature_validator' } };
const OPTIONAL = [...HINTS, ...PARAMS, RESPONSE_FORMAT];
const NONE: readonly string[] = [];
/** Complaints about a caller's own schema or messages, whose words may be the name of any field. */
const CALLERS_OWN = /\bschema\b|\b(?:tools|functions|messages)\W{1,3}\d/i;
/** A complaint of servers about a model, which does not name the field that asked for it. */
const NO_REASONING = /not support (?:thinking|reasoning)\b/i;
/** Ahead of anything that may be an echo. */
const MISSING_SIGNATURE = /^[^'"`:([{<]*missing a thought_signature/i;
/** Takes the whole word around a match, such as a value of the caller's. */
const UNSUPPORTED =
  /\b\w*(?:unsupported|unrecogni[sz]ed|unknown|incompatible|not (?:supported|permitted|allowed)|not support|extra_forbidden)\w*/gi;
/** Parts of a complaint that repeat the request: a validator's copy of it, and addresses of pictures. */
const ECHO = /['"]input['"]: [^]*|\b(?:https?|data):\S*/gi;

/**
 * Optional fields that an upstream's models have refused. "OpenAI format" is no one format: strict servers answer 400
 * to a field that others need, and no list of servers stays right. So a refusal that names such a field is remembered
 * for its model, `response_format` for its request, and the next try leaves it out.
 */
export class RefusedFields {
  private readonly byModel = new Map<string, readonly string[]>();
  private readonly withoutFormat = new WeakSet<SentRequest>();
  /** What the latest body of a request was without; others may have taught more since. */
  private readonly leftOut = new WeakMap<SentRequest, readonly string[]>();

  /** The fields that a request is to be sent without: most often none. */
  of(request: SentRequest): readonly string[] {
    const known = this.byModel.get(request.model) ?? NONE;
    const fields = this.withoutFormat.has(request) ? [...known, RESPONSE_FORMAT] : known;
    if (fields.length > 0) {
      this.leftOut.set(request, fields);
    }
    return fields;
  }

  /**
   * Whether the complaint names an optional field, so that a retry without it can succeed.
   * @param request the one refused; the same object is sent again
   * @param text the upstream's message with its 400 or 422
   */
  learn(request: SentRequest, text: string): boolean {
    const complaint = text.replace(ECHO, '');
    if (CALLERS_OWN.test(complaint)) {
      return false;
    }
    const quoted = wordsOf(request);
    const isOwn = (words: string): boolean => !holdsWords(quoted, words);
    const optional = (complaint.match(UNSUPPORTED) ?? []).some(isOwn)
      ? [...new Set([...OPTIONAL, ...Object.keys(request.params.further ?? {})])]
      : HINTS;
    const leftOut = this.leftOut.get(request) ?? NONE;
    const named = optional.filter(
      (field) =>
        !leftOut.includes(field) &&
        isOwn(field) &&
        (holdsWords(complaint, field) || (field === 'reasoning_effort' && NO_REASONING.test(complaint))),
    );
    if (MISSING_SIGNATURE.test(complaint) && !leftOut.includes(SIGNATURE)) {
      named.push(SIGNATURE);
    }
    for (const field of named) {
      this.refuse(request, field);
    }
    return named.length > 0;
  }

  private refuse(request: SentRequest, field: string): void {
    if (field === RESPONSE_FORMAT) {
      this.withoutFormat.add(request);
      return;
    }
    const known = this.byModel.get(request.model) ?? NONE;
    if (!known.includes(field)) {
      this.byModel.set(request.model, [...known, field]);
    }
  }
}

/** A request as far as refusals are concerned. */
type SentRequest = Pick<UpstreamRequest, 'model' | 'params' | 'tools'>;

/** The caller's own texts that complaints repeat, a line each: those of fields passed on, and the names of tools. */
export function wordsOf({ params, tools }: SentRequest): string {
  const names = tools?.definitions.map((tool) => (tool as { function?: { name?: unknown } }).function?.name);
  return textsOf([params.further, params.stop, names]).join('\n');
}

/** Without the keys of objects: those are names of fields. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).flatMap(textsOf);
  }
  return typeof value === 'string' ? [value] : [];
}

/** Whether a text holds the words as such, not as parts of longer ones. */
function holdsWords(text: string, words: string): boolean {
  return new RegExp(`\\b${words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\b`).test(text);
}

/**
 * The body of a chat completion request. Without thinking it asks for none in the two ways that servers understand
 * (`reasoning_effort: none` for Ollama and vendors, and for vLLM, SGLang and llama.cpp the switches of chat templates:
 * `enable_thinking` of Qwen and GLM, `thinking` of DeepSeek and Kimi); otherwise the model's own default or the caller's
 * switch holds.
 */
export function completionBody(
  request: UpstreamRequest,
  refused: RefusedFields,
  orders: MessageOrders,
): string {
  const { model, params } = request;
  const leftOut = refused.of(request);
  const messages = orders.of(request);
  // Many servers refuse a prompt that leaves less room than this; without the field they give what is left.
  const maxTokens = params.isLimitAssumed ? undefined : params.maxTokens;
  const body: Record<string, unknown> = {
    ...params.further,
    model,
    messages: leftOut.includes(SIGNATURE) ? messages.map(toSigned) : messages,
    stream: true,
    stream_options: { include_usage: true },
    temperature: params.temperature,
    top_p: params.topP,
    max_tokens: maxTokens,
    stop: params.stop.length > 0 ? params.stop : undefined,
    seed: params.seed,
    response_format: request.responseFormat,
  };
  if (!request.thinking) {
    body.reasoning_effort = 'none';
    const asked = params.further?.chat_template_kwargs as object | undefined;
    body.chat_template_kwargs = { ...asked, enable_thinking: false, thinking: false };
  }
  if (request.tools && request.tools.definitions.length > 0) {
    body.tools = request.tools.definitions;
    body.tool_choice = request.tools.choice;
    // Several servers refuse the field or know no other value than true, so it is sent only where it says something.
    body.parallel_tool_calls = request.tools.parallel ? undefined : false;
  }
  for (const field of leftOut) {
    body[field] = undefined;
    if (field === 'max_tokens') {
      body.max_completion_tokens = maxTokens;
    }
  }
  return withWholeCharacters(JSON.stringify(body));
}

/**
 * Half a surrogate pair, as texts cut by UTF-16 length end with, cannot travel as UTF-8: servers not written in
 * JavaScript refuse the whole request for its escape. It becomes U+FFFD.
 */
function withWholeCharacters(json: string): string {
  let whole = '';
  let end = 0;
  // `JSON.stringify` escapes no other character of the range, and a pattern would note each escape of the prompt.
  for (let at = json.indexOf('\\ud'); at !== -1; at = json.indexOf('\\ud', at + 1)) {
    if (isEscape(json, at)) {
      whole += `${json.slice(end, at)}\ufffd`;
      end = at + '\\ud83d'.length;
    }
  }
  return end === 0 ? json : whole + json.slice(end);
}

/** Whether a backslash begins an escape, rather than being escaped itself. */
function isEscape(json: string, at: number): boolean {
  let first = at;
  while (json[first - 1] === '\\') {
    first--;
  }
  return (at - first) % 2 === 0;
}

function toSigned(message: object): object {
  const { tool_calls: calls } = message as { readonly tool_calls?: readonly object[] };
  const signed = calls?.map((call) => ({ extra_content: ANY_SIGNATURE, ...call }));
  return signed ? { ...message, tool_calls: signed } : message;
}
