/** Longest text that the log takes for a search. */
const MAX_LENGTH = 200;

/** Ids that have the digits of a request's: its own, and those of its answer in every format, of items within it, too. */
const ID = /\b(?:req|chatcmpl|cmpl|msg|resp|rs|fc|ctc)[_-]([0-9a-f]{32})/;

/** A member `message`, in JSON, or as Python shows a dictionary; its end may be cut off. */
const MESSAGE = /(["'])message\1\s*:\s*(?:"((?:[^"\\]|\\.)*)|'((?:[^'\\]|\\.)*))/;

/** What libraries and agents put before the message of a failed call. */
const RAISED = new RegExp(
  String.raw`^.*(?:\b(?:API\w*|OpenAI|Anthropic|BadRequest|Authentication|PermissionDenied|NotFound|Conflict|` +
    String.raw`UnprocessableEntity|RateLimit|InternalServer|Overloaded|AI_\w+)(?:Error|Exception)|\bAPI Error|` +
    String.raw`\bLast error|\bbefore completion)(?:: | - )(?=\S)`,
  's',
);
const STATUS = /^[45]\d\d (?=[A-Z])/;

const ESCAPED = { n: '\n', r: '\r', t: '\t' };

/** Id of the request that a text names, by its own id or by that of its answer; undefined without one. */
export function requestIdIn(text = '') {
  const [, digits] = ID.exec(text) ?? [];
  return digits && `req_${digits}`;
}

/**
 * What to look for in the log when somebody has pasted the error that a program showed: the gateway's message within it.
 * Any other text is looked for as it is.
 *
 * @param {string | undefined} text
 */
export function searchedText(text) {
  if (text === undefined) {
    return undefined;
  }
  const plain = text.includes('\\"message\\"') ? text.replaceAll('\\"', '"') : text;
  const [, , quoted, pythonic] = MESSAGE.exec(plain) ?? [];
  const message = unescaped(quoted ?? pythonic ?? '').trim();
  const wanted = message || plain.replace(RAISED, '').replace(STATUS, '').trim();
  return (wanted || text).slice(0, MAX_LENGTH);
}

function unescaped(text) {
  return text.replaceAll(/\\(?:u([0-9a-f]{4})|(.))/gi, (_, code, char) =>
    code ? String.fromCharCode(Number.parseInt(code, 16)) : (ESCAPED[char] ?? char),
  );
}
