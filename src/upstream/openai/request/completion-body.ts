import { type UpstreamRequest } from '../../upstream-driver.js';
import { optionalFields } from './optional-fields.js';
import { type RefusedFields, THOUGHT_SIGNATURE } from './refused-fields.js';

/** Signature that Google names for calls whose own is not known. */
const ANY_SIGNATURE = { google: { [THOUGHT_SIGNATURE]: 'skip_thought_signature_validator' } };

/**
 * The body of a chat completion request, without what its model has refused.
 * @param messages in a form that the model takes
 */
export function completionBody(
  request: UpstreamRequest,
  refused: RefusedFields,
  messages: readonly object[],
): string {
  const { model, tools } = request;
  const omitted = refused.of(request);
  const fields = optionalFields(request);
  if (omitted.includes('max_tokens')) {
    fields.max_completion_tokens = fields.max_tokens;
  }
  for (const field of omitted) {
    fields[field] = undefined;
  }
  return withWholeCharacters(
    JSON.stringify({
      ...fields,
      model,
      messages: omitted.includes(THOUGHT_SIGNATURE) ? messages.map(toSigned) : messages,
      stream: true,
      tools: tools !== undefined && tools.definitions.length > 0 ? tools.definitions : undefined,
    }),
  );
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
