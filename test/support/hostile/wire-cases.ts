import {
  BAD,
  BAD_TYPE,
  badMethod,
  type Expected,
  get,
  type HostileCase,
  NOT_FOUND,
  OK,
  post,
  raw,
  VALID_BODY,
} from './hostile-case.js';

const TOO_LARGE: Expected = { status: 413, code: 'payload_too_large' };
const HEADERS_TOO_LARGE: Expected = { status: 431, code: 'headers_too_large' };
const NO_EXPECTATION: Expected = { status: 417, code: 'expectation_failed' };

/** `BODY_LIMIT` of the gateway under test. */
export const BODY_LIMIT = 2 ** 21;

const sized = (bytes: number): string => {
  const empty = VALID_BODY.replace('hi', '');
  return VALID_BODY.replace('hi', 'x'.repeat(bytes - empty.length));
};
const BEFORE_KEY = { isBeforeKey: true };

export const SIZE_CASES: readonly HostileCase[] = [
  post('size: at the limit', { body: sized(BODY_LIMIT) }, OK),
  post('size: at the limit, chunked', { body: sized(BODY_LIMIT), chunked: true }, OK),
  post('size: one byte over', { body: sized(BODY_LIMIT + 1) }, TOO_LARGE),
  post('size: one byte over, chunked', { body: sized(BODY_LIMIT + 1), chunked: true }, TOO_LARGE),
  post('size: eight times over', { body: sized(8 * BODY_LIMIT) }, TOO_LARGE),
  post('size: eight times over, chunked', { body: sized(8 * BODY_LIMIT), chunked: true }, TOO_LARGE),
  post('size: announced only', { body: '', headers: { 'Content-Length': '99999999999' } }, TOO_LARGE),
  post(
    'size: beyond exact numbers',
    { body: '', headers: { 'Content-Length': '9007199254740993000' } },
    TOO_LARGE,
  ),
  post('size: white space', { body: ' '.repeat(BODY_LIMIT + 1) }, TOO_LARGE),
  get('size: 100 headers', { headers: fillers(100 - 2) }, OK),
  get('size: 200 headers', { headers: fillers(200) }, HEADERS_TOO_LARGE, BEFORE_KEY),
  get('size: 3000 headers', { headers: fillers(3000) }, HEADERS_TOO_LARGE, BEFORE_KEY),
  get('size: 15 KB header', { headers: { 'X-Filler': 'x'.repeat(15_000) } }, OK),
  get('size: 17 KB header', { headers: { 'X-Filler': 'x'.repeat(17_000) } }, HEADERS_TOO_LARGE, BEFORE_KEY),
  get('size: 17 KB path', { path: `/v1/models?${'x'.repeat(17_000)}` }, HEADERS_TOO_LARGE, BEFORE_KEY),
];

/** One short of the count: the key adds a header when it is sent, and the cases must hold without it too. */
function fillers(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, '']));
}

const HEAD = 'POST /v1/chat/completions HTTP/1.1\r\nHost: {host}\r\n{auth}Content-Type: application/json\r\n';
const LENGTH = `Content-Length: ${VALID_BODY.length}\r\n`;

/** Broken framing and other requests that no HTTP library would send. */
export const WIRE_CASES: readonly HostileCase[] = [
  raw('wire: no HTTP', 'hello\r\n\r\n', BAD),
  raw('wire: TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', BAD),
  raw('wire: HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', BAD),
  raw('wire: NUL bytes', '\0\0\0\0\r\n\r\n', BAD),
  raw('wire: HTTP/0.9', 'GET /v1/models\r\n\r\n', BAD),
  raw('wire: HTTP/2.0', 'GET /v1/models HTTP/2.0\r\nHost: {host}\r\n\r\n', BAD),
  raw('wire: HTTP/3.0', 'GET /v1/models HTTP/3.0\r\nHost: {host}\r\n\r\n', BAD),
  raw('wire: unknown method', 'HACK /v1/models HTTP/1.1\r\nHost: {host}\r\n\r\n', BAD),
  raw('wire: lower-case method', 'get /v1/models HTTP/1.1\r\nHost: {host}\r\n\r\n', BAD),
  raw('wire: space in the path', 'GET /v1/ models HTTP/1.1\r\nHost: {host}\r\n\r\n', BAD),
  raw('wire: path without a slash', 'GET v1/models HTTP/1.1\r\nHost: {host}\r\n\r\n', BAD),
  raw('wire: target without host and path', 'GET http:// HTTP/1.1\r\nHost: {host}\r\n\r\n', BAD),
  raw('wire: target without a path', 'GET http://{host} HTTP/1.1\r\nHost: {host}\r\n{auth}\r\n', NOT_FOUND, {
    isBeforeKey: false,
  }),
  raw('wire: header without a colon', 'GET /v1/models HTTP/1.1\r\nHost {host}\r\n\r\n', BAD),
  raw('wire: space before the colon', 'GET /v1/models HTTP/1.1\r\nHost : {host}\r\n\r\n', BAD),
  raw('wire: folded header', 'GET /v1/models HTTP/1.1\r\nHost: {host}\r\nX: a\r\n b\r\n\r\n', BAD),
  raw('wire: bare line feeds', 'GET /v1/models HTTP/1.1\nHost: {host}\n\n', BAD),
  raw('wire: bare carriage return', 'GET /v1/models HTTP/1.1\r\nHost: {host}\r\nX: a\rb\r\n\r\n', BAD),
  raw('wire: NUL in a header', 'GET /v1/models HTTP/1.1\r\nHost: {host}\r\nX: a\0b\r\n\r\n', BAD),
  raw('wire: two lengths', `${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`, BAD),
  raw('wire: length list', `${HEAD}Content-Length: 2, 2\r\n\r\n{}`, BAD),
  raw('wire: length with a sign', `${HEAD}Content-Length: +2\r\n\r\n{}`, BAD),
  raw('wire: negative length', `${HEAD}Content-Length: -1\r\n\r\n{}`, BAD),
  raw('wire: hexadecimal length', `${HEAD}Content-Length: 0x2\r\n\r\n{}`, BAD),
  raw('wire: length beyond 64 bits', `${HEAD}Content-Length: 99999999999999999999\r\n\r\n{}`, BAD),
  raw('wire: length and chunks', `${HEAD}${LENGTH}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, BAD),
  raw(
    'wire: chunked twice',
    `${HEAD}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    BAD,
  ),
  raw('wire: chunked not last', `${HEAD}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`, BAD),
  raw(
    'wire: compressed chunks',
    `${HEAD}Transfer-Encoding: gzip, chunked\r\n\r\n${VALID_BODY.length.toString(16)}\r\n${VALID_BODY}\r\n0\r\n\r\n`,
    BAD_TYPE,
    { isBeforeKey: false },
  ),
  raw('wire: unknown transfer encoding', `${HEAD}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`, BAD),
  raw('wire: bad chunk size', `${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`, BAD),
  raw('wire: negative chunk size', `${HEAD}Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n`, BAD),
  raw('wire: chunk without its end', `${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\n{}zz\r\n0\r\n\r\n`, BAD, {
    isBeforeKey: false,
  }),
  raw(
    'wire: endless chunk extension',
    `${HEAD}Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
    TOO_LARGE,
  ),
  raw(
    'wire: CONNECT',
    'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n',
    badMethod('GET, HEAD, POST, PATCH, DELETE'),
  ),
  raw('wire: HTTP/1.0 without Host', 'GET /v1/models HTTP/1.0\r\n\r\n', BAD),
  raw(
    'wire: HTTP/1.0 with chunks',
    `${HEAD.replace('1.1', '1.0')}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    BAD,
  ),
  raw('wire: HTTP/1.0', 'GET /v1/models HTTP/1.0\r\nHost: {host}\r\n{auth}\r\n', OK, { isBeforeKey: false }),
  raw(
    'wire: upgrade',
    'GET /v1/models HTTP/1.1\r\nHost: {host}\r\n{auth}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    OK,
    { isBeforeKey: false },
  ),
  raw(
    'wire: asterisk',
    'OPTIONS * HTTP/1.1\r\nHost: {host}\r\n{auth}\r\n',
    { status: 404, code: 'not_found' },
    { isBeforeKey: false },
  ),
  raw('wire: empty lines first', '\r\n\r\nGET /v1/models HTTP/1.1\r\nHost: {host}\r\n{auth}\r\n', OK, {
    isBeforeKey: false,
  }),
  raw('wire: Expect 100-continue', `${HEAD}${LENGTH}Expect: 100-continue\r\n\r\n${VALID_BODY}`, OK, {
    isBeforeKey: false,
  }),
  raw('wire: Expect 100-Continue', `${HEAD}${LENGTH}Expect: 100-Continue\r\n\r\n${VALID_BODY}`, OK, {
    isBeforeKey: false,
  }),
  raw('wire: other expectation', `${HEAD}${LENGTH}Expect: 200-ok\r\n\r\n${VALID_BODY}`, NO_EXPECTATION),
  raw(
    'wire: two expectations',
    `${HEAD}${LENGTH}Expect: 100-continue, x\r\n\r\n${VALID_BODY}`,
    NO_EXPECTATION,
  ),
  raw(
    'wire: request id chosen',
    'GET /v1/models HTTP/1.1\r\nHost: {host}\r\n{auth}X-Request-Id: req_mine\r\n\r\n',
    OK,
    { isBeforeKey: false },
  ),
];
