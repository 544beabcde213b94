import { type HeaderFields } from './network-log.js';

export const REDACTED = '[redacted]';

/** Names of headers whose values are, or may contain, secrets. */
const SECRET_HEADER = /auth|cookie|token|secret|api-?key|password|signature|credential|session|csrf|xsrf/i;
/**
 * Ends of the names of members and parameters whose values are secrets; each stands behind `_`, `.`, `-` or nothing.
 */
const SECRET_NAMES = [
  'pass(?:word|wd|phrase|code)?', // password
  'secrets?', // secret
  '(?:client|app)[_-]?secret', // clientSecret
  'api[_-]?keys?', // x-api-key
  'auth(?:orization)?', // authorization
  'credentials?', // credentials
  'cookies?', // cookie
  'jwt', // jwt
  'sig(?:nature)?', // sig
  'session(?:[_-]?(?:id|key))?', // sessionId
  'sid', // connect.sid
  '(?:access|refresh|id|auth|bearer|csrf|xsrf|session|client)[_-]?tokens?', // access_token
];
const SECRET_NAME = new RegExp(`^(?:.*[_.-])?(?:${SECRET_NAMES.join('|')})$`, 'i');
/** Names whose values may be secrets. */
const KEY_NAME = /^(?:key|token|code|state|nonce)$/i;
/** Under such a name only a value of this form is a secret; a model's piece of text may be called a token, too. */
const SECRET_VALUE = /^[\w.~+/=-]{12,}$/;
/** Ends of all names that `SECRET_NAME` and `KEY_NAME` match, without a plural `s`. */
const HINT_ENDS = [
  'pass(?:word|wd|phrase)?', // password
  'secret', // clientSecret
  'auth', // auth
  'authorization', // authorization
  'credential', // credentials
  'cookie', // cookie
  'jwt', // jwt
  'sig', // sig
  'signature', // signature
  'session', // session
  'session[_-]?id', // sessionId
  'sid', // sid
  'token', // access_token
  'key', // api_key
  'code', // passcode
  'state', // state
  'nonce', // nonce
];
/**
 * The closing quote of a name with such an end, and the beginning of a text. The pattern looks back from the quote,
 * since one character is found much faster than many words.
 */
const HINT = new RegExp(String.raw`"(?<=(?:${HINT_ENDS.join('|')})s?\\?")\s*:\s*\\?"`, 'gi');
/** Longest name of a member, in characters. */
const MAX_NAME_LENGTH = 60;
/** A text member of JSON: its name and its value. One that is cut off has no closing quote. */
const MEMBER = /"([\w.-]+)"\s*:\s*"((?:[^"\\]|\\.)*)("|$)/y;
/** A member of a JSON text that is itself encoded as a JSON text, as in a socket's frame. */
const NESTED_MEMBER = /\\"([\w.-]+)\\"\s*:\s*\\"([^"\\]*)(\\"|$)/y;
const FORM = /^[^\s"{}<>]+$/;

/** Shorter secrets would occur by chance. */
const MIN_SECRET_LENGTH = 4;
const NO_SECRETS: readonly string[] = [];

/** Headers as texts without secrets; names in lower case. */
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

/** A URL without user, query and fragment, which needs no parsing. */
const PLAIN_URL = /^(?:https?|wss?):\/\/[^?#@]*$/;

/** A URL without user, password, fragment and secret values of its query. */
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

/** A body, or the beginning of one, without values under secret names and without the given secrets. */
export function redactBody(body: string, secrets: readonly string[] = NO_SECRETS): string {
  const isForm = body.includes('=') && FORM.test(body);
  const text = isForm ? redactForm(body) : redactMembers(body);
  return redactSecrets(text, secrets);
}

/** A text without the given secrets, neither plain nor in the encodings of JSON and URLs. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  let redacted = text;
  for (const form of formsOf(secrets)) {
    if (redacted.includes(form)) {
      redacted = redacted.replaceAll(form, REDACTED);
    }
  }
  return redacted;
}

/** Encodings by list of secrets, since the same list comes with every text. */
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

/** The text member whose name ends at a position. */
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
