/** Longest text that the log takes for a search. */
const MAX_LENGTH = 200;

/**
 * Ids that have the digits of a request's: its own, with the number of a further answer behind it, and those of its answer in
 * every format, and of items within that.
 */
const ID =
  /\b(?:req_([0-9a-f]{32}(?:-\d{1,3}\b)?)|(?:chatcmpl|cmpl|msg|resp|rs|fc|ctc|tsc|cmp|in)[_-]([0-9a-f]{32}))/;

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

/** The name of such a member in JSON that is a string of other JSON. */
const QUOTED_NAME = /\\"message\\+"/;
/** Messages within messages that are looked into, as where a proxy or a log wraps an error. */
const MAX_DEPTH = 4;

const ESCAPED = { n: '\n', r: '\r', t: '\t' };

/** Id of the request that a text names, by its own id or by that of its answer; undefined without one. */
export function requestIdIn(text = '') {
  const [, own, ofAnswer] = ID.exec(text) ?? [];
  const digits = own ?? ofAnswer;
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
  const message = messageIn(text, MAX_DEPTH) || text;
  const wanted = message.replace(RAISED, '').replace(STATUS, '').trim();
  // Half a character would be sent as another one.
  return (wanted || text).slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, '');
}

/** The innermost message of a text; empty if it has none. */
function messageIn(text, depth) {
  const [, , quoted, pythonic] = MESSAGE.exec(text) ?? [];
  const message = unescaped(quoted ?? pythonic ?? '').trim();
  if (depth > 0 && message !== '') {
    return messageIn(message, depth - 1) || message;
  }
  return depth > 0 && QUOTED_NAME.test(text)
    ? messageIn(text.replaceAll(/\\(["\\])/g, '$1'), depth - 1)
    : message;
}

function unescaped(text) {
  return text.replaceAll(/\\(?:u([0-9a-f]{4})|u[0-9a-f]{0,3}$|(.))/gi, (_, code, char) =>
    code ? String.fromCharCode(Number.parseInt(code, 16)) : (ESCAPED[char] ?? char ?? ''),
  );
}
