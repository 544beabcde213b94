export const REDACTED = '[redacted]';

/** Headers whose values are, or may hold, secrets. */
const SECRET_HEADER = /auth|cookie|token|secret|api-?key|password|signature|credential|session|csrf|xsrf/i;
/** Names of members and parameters whose values are secrets. */
const SECRET_NAME =
  /^(?:.*[_.-])?(?:pass(?:word|wd|phrase|code)?|secrets?|api[_-]?keys?|auth(?:orization)?|credentials?|cookies?|jwt|sig(?:nature)?|session(?:[_-]?(?:id|key))?|sid|(?:access|refresh|id|auth|bearer|csrf|xsrf|session|client)[_-]?tokens?|(?:client|app)[_-]?secret)$/i;
const KEY_NAME = /^(?:key|token|code|state|nonce)$/i;
/** A value under such a name is a secret if it looks like one; a model's piece of text may be called a token, too. */
const SECRET_VALUE = /^[\w.~+/=-]{12,}$/;
/** A text member of JSON, however deep: its name and its value. Values that are cut off have no closing quote. */
const MEMBER = /"([\w.-]{2,40})"(\s*:\s*)"((?:[^"\\]|\\.)*)("|$)/g;
/** The same within a JSON text that is itself a text, as in a socket's frame. */
const NESTED_MEMBER = /\\"([\w.-]{2,40})\\"(\s*:\s*)\\"([^"\\]*)(\\"|$)/g;
const FORM = /^[^\s"{}<>]*=[^\s"{}<>]*$/;

/** Shorter ones would turn up by chance. */
const MIN_SECRET_LENGTH = 4;

/** Headers as texts, with secrets left out. Names in lower case. */
export function redactHeaders(
  headers: Readonly<Record<string, unknown>>,
  secrets: readonly string[] = [],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [
        name.toLowerCase(),
        SECRET_HEADER.test(name) ? REDACTED : redactSecrets(String(value), secrets),
      ]),
  );
}

/** A URL without user, password and fragment, and without the values of its query that may be secrets. */
export function redactUrl(url: string, secrets: readonly string[] = []): string {
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
export function redactBody(body: string, secrets: readonly string[] = []): string {
  const text = FORM.test(body) ? redactForm(body) : redactMembers(body);
  return redactSecrets(text, secrets);
}

/** Without given secrets, as they are and as JSON and URLs write them. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  let redacted = text;
  for (const secret of secrets) {
    if (secret.length >= MIN_SECRET_LENGTH) {
      for (const form of new Set([
        secret,
        JSON.stringify(secret).slice(1, -1),
        encodeURIComponent(secret.toWellFormed()),
      ])) {
        redacted = redacted.replaceAll(form, REDACTED);
      }
    }
  }
  return redacted;
}

function redactMembers(json: string): string {
  const replace = (whole: string, name: string, colon: string, value: string, end: string): string => {
    const quote = whole.startsWith('\\') ? '\\"' : '"';
    return isSecret(name, value) ? `${quote}${name}${quote}${colon}${quote}${REDACTED}${end}` : whole;
  };
  return json.replace(MEMBER, replace).replace(NESTED_MEMBER, replace);
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
