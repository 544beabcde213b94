import { REDACTED, redactSecrets } from './known-secrets.js';
import { type HeaderFields } from './network-log.js';
import { redactMembers } from './secret-members.js';
import { isSecret } from './secret-names.js';

/** Names of headers whose values are, or may contain, secrets. */
const SECRET_HEADER =
  /auth|cookie|token|secret|api-?key|password|signature|credential|session|csrf|xsrf|sec-websocket-protocol/i;
/** Parts of headers that are URLs, by the name of the header; each stands between the groups of what is around it. */
const URL_HEADERS: Readonly<Record<string, RegExp>> = {
  location: /^()(.*)()$/,
  'content-location': /^()(.*)()$/,
  referer: /^()(.*)()$/,
  link: /(<)([^<>]*)(>)/g,
  refresh: /^([^=]*=\s*['"]?)([^'"]*)(.*)$/,
};
const FORM = /^[^\s"{}<>]+$/;

/** Headers as texts without secrets; names in lower case. */
export function redactHeaders(headers: HeaderFields, secrets: readonly string[]): Record<string, string> {
  const redacted: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) {
      const shown = name.toLowerCase();
      redacted[shown] = SECRET_HEADER.test(name) ? REDACTED : redactHeader(shown, String(value), secrets);
    }
  }
  return redacted;
}

function redactHeader(name: string, value: string, secrets: readonly string[]): string {
  const urls = URL_HEADERS[name];
  const text = urls
    ? value.replace(
        urls,
        (_, before: string, url: string, after: string) => before + redactUrl(url, secrets) + after,
      )
    : value;
  return redactSecrets(text, secrets);
}

/** A URL without user, query and fragment, which needs no parsing. */
const PLAIN_URL = /^(?:https?|wss?):\/\/[^?#@]*$/;
/** A reference within a site. */
const RELATIVE_URL = /^[/?.]/;

/** In a reference without a scheme. */
const USER_OF_HOST = /^\/\/[^/?#]*@/;

/** A URL without user, password, fragment and secret values of its query. */
export function redactUrl(url: string, secrets: readonly string[]): string {
  return redactSecrets(withoutSecretParts(url, MAX_URLS_WITHIN), secrets);
}

/** Nesting of URLs within the query of a URL that is examined. */
const MAX_URLS_WITHIN = 3;

function withoutSecretParts(url: string, urlsWithin: number): string {
  if (PLAIN_URL.test(url)) {
    return url;
  }
  if (RELATIVE_URL.test(url)) {
    const [resource = ''] = url.replace(USER_OF_HOST, '//').split('#', 1);
    const query = resource.indexOf('?') + 1;
    return query === 0 ? resource : resource.slice(0, query) + redactForm(resource.slice(query), urlsWithin);
  }
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return url.split(/[?#]/, 1)[0] ?? '';
  }
  if (parsed.protocol === 'data:' || parsed.protocol === 'blob:') {
    return `${parsed.protocol}…`;
  }
  parsed.username = '';
  parsed.password = '';
  parsed.hash = '';
  if (parsed.search !== '') {
    parsed.search = redactForm(parsed.search.slice(1), urlsWithin);
  }
  return parsed.href;
}

/** A body, or the beginning of one, without values under secret names and without the given secrets. */
export function redactBody(body: string, secrets: readonly string[]): string {
  return redactSecrets(redactNamed(body), secrets);
}

/** A body, or the beginning of one, without values under secret names. */
export function redactNamed(body: string): string {
  const isForm = body.includes('=') && FORM.test(body);
  return isForm ? redactForm(body, MAX_URLS_WITHIN) : redactMembers(body);
}

function redactForm(form: string, urlsWithin: number): string {
  return form
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 0) {
        return pair;
      }
      const name = pair.slice(0, equals);
      const value = pair.slice(equals + 1);
      const text = decoded(value);
      const shown = isSecret(decoded(name), text) ? REDACTED : redactUrlWithin(value, text, urlsWithin);
      return `${name}=${shown}`;
    })
    .join('&');
}

/** A URL that could have a query or a fragment. */
const URL_WITH_MORE = /^(?:https?:\/\/|\/)[^?#]*[?#]/;

/** The value of a parameter; if it is a URL, without its secret parts. @param text the decoded value */
function redactUrlWithin(value: string, text: string, urlsWithin: number): string {
  if (urlsWithin === 0 || !URL_WITH_MORE.test(text)) {
    return value;
  }
  const redacted = withoutSecretParts(text, urlsWithin - 1);
  return redacted === text ? value : encodeURIComponent(redacted).replaceAll('%5Bredacted%5D', REDACTED);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
