import { type HeaderFields } from './network-log.js';

export const REDACTED = '[redacted]';

/** Headers whose values are, or may hold, secrets. */
const SECRET_HEADER = /auth|cookie|token|secret|api-?key|password|signature|credential|session|csrf|xsrf/i;
/** Names of members and parameters whose values are secrets. */
const SECRET_NAME =
  /^(?:.*[_.-])?(?:pass(?:word|wd|phrase|code)?|secrets?|api[_-]?keys?|auth(?:orization)?|credentials?|cookies?|jwt|sig(?:nature)?|session(?:[_-]?(?:id|key))?|sid|(?:access|refresh|id|auth|bearer|csrf|xsrf|session|client)[_-]?tokens?|(?:client|app)[_-]?secret)$/i;
const KEY_NAME = /^(?:key|token|code|state|nonce)$/i;
/** A value under such a name is a secret if it looks like one; a model's piece of text may be called a token, too. */
const SECRET_VALUE = /^[\w.~+/=-]{12,}$/;
/**
 * The end of every such name, the quote behind it, and the beginning of a text. It looks back from the quote, since one
 * character is sought much faster than many words.
 */
const HINT =
  /"(?<=(?:pass(?:word|wd|phrase)?|secret|auth|authorization|credential|cookie|jwt|sig|signature|session|session[_-]?id|sid|token|key|code|state|nonce)s?\\?")\s*:\s*\\?"/gi;
const MAX_NAME_LENGTH = 60;
/** A text member of JSON: its name and its value. One that is cut off has no closing quote. */
const MEMBER = /"([\w.-]+)"\s*:\s*"((?:[^"\\]|\\.)*)("|$)/y;
/** The same within a JSON text that is itself a text, as in a socket's frame. */
const NESTED_MEMBER = /\\"([\w.-]+)\\"\s*:\s*\\"([^"\\]*)(\\"|$)/y;
const FORM = /^[^\s"{}<>]+$/;

/** Shorter ones would turn up by chance. */
const MIN_SECRET_LENGTH = 4;
const NO_SECRETS: readonly string[] = [];

/** Headers as texts, with secrets left out. Names in lower case. */
export function redactHeaders(
  headers: HeaderFields,
  secrets: readonly string[] = NO_SECRETS,
): Record<string, string> {
  const redacted: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) {
      const text = String(value);
      redacted[name.toLowerCase()] = SECRET_HEADER.test(name) ? REDACTED : redactSecrets(text, secrets);
    }
  }
  return redacted;
}

/** Needs no parsing: it has neither user nor query nor fragment. */
const PLAIN_URL = /^(?:https?|wss?):\/\/[^?#@]*$/;

/** A URL without user, password and fragment, and without the values of its query that may be secrets. */
export function redactUrl(url: string, secrets: readonly string[] = NO_SECRETS): string {
  if (PLAIN_URL.test(url)) {
    return redactSecrets(url, secrets);
  }
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return redactSecrets(url.split(/[?#]/, 1)[0] ?? '', secrets);
  }
  if (parsed.protocol === 'data:' || parsed.protocol === 'blob:') {
    return `${parsed.protocol}…`;
  }
  parsed.username = '';
  parsed.password = '';
  parsed.hash = '';
  if (parsed.search !== '') {
    parsed.search = redactForm(parsed.search.slice(1));
  }
  return redactSecrets(parsed.href, secrets);
}

/** A body, or the beginning of one, without what is named like a secret and without given secrets. */
export function redactBody(body: string, secrets: readonly string[] = NO_SECRETS): string {
  const isForm = body.includes('=') && FORM.test(body);
  const text = isForm ? redactForm(body) : redactMembers(body);
  return redactSecrets(text, secrets);
}

/** Without given secrets, as they are and as JSON and URLs write them. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  let redacted = text;
  for (const form of formsOf(secrets)) {
    if (redacted.includes(form)) {
      redacted = redacted.replaceAll(form, REDACTED);
    }
  }
  return redacted;
}

/** Of each list of secrets, since the same list comes with every text. */
const forms = new WeakMap<readonly string[], readonly string[]>();

function formsOf(secrets: readonly string[]): readonly string[] {
  let found = forms.get(secrets);
  if (!found) {
    found = secrets
      .filter(({ length }) => length >= MIN_SECRET_LENGTH)
      .flatMap((secret) => [
        ...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())]),
      ]);
    forms.set(secrets, found);
  }
  return found;
}

function redactMembers(json: string): string {
  let redacted = '';
  let done = 0;
  for (const { index } of json.matchAll(HINT)) {
    const member = index < done ? undefined : memberAround(json, index);
    if (member && isSecret(member.name, member.value)) {
      redacted += json.slice(done, member.valueEnd - member.value.length) + REDACTED;
      done = member.valueEnd;
    }
  }
  return redacted + json.slice(done);
}

interface Member {
  readonly name: string;
  readonly value: string;
  readonly valueEnd: number;
}

/** The text member whose name ends at a place. */
function memberAround(json: string, place: number): Member | undefined {
  const from = Math.max(0, place - MAX_NAME_LENGTH);
  const quote = from + json.slice(from, place).lastIndexOf('"');
  const isNested = json[quote - 1] === '\\';
  const pattern = isNested ? NESTED_MEMBER : MEMBER;
  pattern.lastIndex = isNested ? quote - 1 : quote;
  const match = quote < from ? null : pattern.exec(json);
  if (!match) {
    return undefined;
  }
  const [, name = '', value = '', end = ''] = match;
  return { name, value, valueEnd: pattern.lastIndex - end.length };
}

function redactForm(form: string): string {
  return form
    .split('&')
    .map((pair) => {
      const [name = '', ...rest] = pair.split('=');
      const value = rest.join('=');
      return rest.length > 0 && isSecret(decoded(name), decoded(value)) ? `${name}=${REDACTED}` : pair;
    })
    .join('&');
}

function isSecret(name: string, value: string): boolean {
  return SECRET_NAME.test(name) || (KEY_NAME.test(name) && SECRET_VALUE.test(value));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
