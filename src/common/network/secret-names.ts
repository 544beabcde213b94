/**
 * Ends of the names of members and parameters whose values are secrets; each stands behind `_`, `.`, `-` or nothing.
 */
const SECRET_NAMES = [
  'pass(?:wd|code)?', // pass
  '\\w*pass(?:word|wd|phrase)', // newpassword
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
/** The word before `token` in a name. */
const TOKEN_NAME = /(?:^|[_.-])([a-z\d]+)[_.-]token$/i;
/** Such words that tell of a limit, a page or a piece of text, not of a secret. */
const HARMLESS_TOKENS = new Set([
  ...['max', 'min', 'per', 'first', 'last', 'next', 'previous', 'page', 'continuation'],
  ...['start', 'stop', 'end', 'bos', 'eos', 'pad', 'unk', 'sep', 'cls', 'mask', 'special'],
]);
/** Names whose values may be secrets. */
const KEY_NAME = /^(?:key|token|code|state|nonce|ticket)$/i;
/** Under such a name only a value of this form is a secret; a model's piece of text may be called a token, too. */
const SECRET_VALUE = /^[\w.~+/=-]{12,}$/;
/** Words that name a condition, e.g. `rate_limit_exceeded`: the code of an error, by which its cause is found. */
const CONDITION = /^(?:[a-z]{2,16}(?:_[a-z]{1,16})+|[A-Z]{2,16}(?:_[A-Z]{1,16})+)$/;
/** Ends of all names that are judged here, without a plural `s`. */
export const HINT_ENDS = [
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
  'ticket', // ticket
];

/** Longest end of a name that is looked at, in characters. */
export const MAX_NAME_LENGTH = 60;

/** Whether a value under this name is a secret. */
export function isSecret(name: string, value: string): boolean {
  // Backtracking takes the square of the length.
  const end = name.slice(-MAX_NAME_LENGTH);
  const words = inWords(end);
  const token = TOKEN_NAME.exec(words)?.[1]?.toLowerCase();
  return (
    // As it is, too: `passWord` and `APIkey` are one word for the pattern.
    SECRET_NAME.test(end) ||
    SECRET_NAME.test(words) ||
    (token !== undefined && !HARMLESS_TOKENS.has(token)) ||
    (KEY_NAME.test(words) && SECRET_VALUE.test(value.replaceAll('\\', '')) && !isErrorCode(words, value))
  );
}

function isErrorCode(words: string, value: string): boolean {
  return /^code$/i.test(words) && CONDITION.test(value);
}

/** `userToken` as `user_Token`, `user[token]` as `user.token`. */
function inWords(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3_$2$4')
    .split(/[[\]]+/)
    .filter(Boolean)
    .join('.');
}
