import { BAD, BAD_TYPE, badField, type HostileCase, OK, post, VALID_BODY } from './hostile-case.js';

const MESSAGES = '"messages":[{"role":"user","content":"hi"}]';
const with_ = (fields: string): string => `{"model":"svc-max",${MESSAGES},"stream":false,${fields}}`;
const nested = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
const manyKeys = (count: number): string =>
  `{${Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',')}}`;

/** Bodies that `JSON.parse` refuses, and bodies that it accepts but the gateway must not. */
export const JSON_CASES: readonly HostileCase[] = [
  post('json: empty body', { body: '' }, BAD),
  post('json: no body at all', { body: '', headers: { 'Content-Length': undefined } }, BAD),
  post('json: empty chunked body', { body: '', chunked: true }, BAD),
  post('json: white space only', { body: ' \r\n\t' }, BAD),
  post('json: cut in an object', { body: '{"model":"svc-max"' }, BAD),
  post('json: cut in a string', { body: '{"model":"svc' }, BAD),
  post('json: cut in an escape', { body: '{"model":"\\' }, BAD),
  post('json: two values', { body: `${VALID_BODY}${VALID_BODY}` }, BAD),
  post('json: lines of values', { body: `${VALID_BODY}\n${VALID_BODY}` }, BAD),
  post('json: trailing comma', { body: with_('"n":1,').replace(',}', ',}') }, BAD),
  post('json: single quotes', { body: "{'model':'svc-max'}" }, BAD),
  post('json: bare keys', { body: '{model:"svc-max"}' }, BAD),
  post('json: comment', { body: `/* hi */${VALID_BODY}` }, BAD),
  post('json: NaN', { body: with_('"temperature":NaN') }, BAD),
  post('json: Infinity', { body: with_('"temperature":Infinity') }, BAD),
  post('json: hexadecimal number', { body: with_('"max_tokens":0x10') }, BAD),
  post('json: leading zero', { body: with_('"max_tokens":010') }, BAD),
  post('json: raw line break in a string', { body: with_('"user":"a\nb"') }, BAD),
  post('json: raw NUL in a string', { body: with_('"user":"a\u0000b"') }, BAD),
  post('json: bad escape', { body: with_('"user":"\\x41"') }, BAD),
  post('json: form text', { body: 'model=svc-max&messages=hi' }, BAD),
  post('json: XML', { body: '<?xml version="1.0"?><model/>' }, BAD),
  post('json: array', { body: `[${VALID_BODY}]` }, BAD),
  post('json: string', { body: '"svc-max"' }, BAD),
  post('json: number', { body: '1' }, BAD),
  post('json: null', { body: 'null' }, BAD),
  post('json: true', { body: 'true' }, BAD),
  post('json: 64 levels', { body: with_(`"extra":${nested(63)}`) }, OK),
  post('json: 65 levels', { body: with_(`"extra":${nested(64)}`) }, BAD),
  post('json: 100,000 levels of arrays', { body: '['.repeat(100_000) }, BAD),
  post('json: 100,000 levels of objects', { body: nested(100_000) }, BAD),
  post('json: 100,000 keys', { body: with_(`"extra":${manyKeys(100_000)}`) }, OK),
  post('json: 130,000 keys', { body: manyKeys(130_000) }, BAD),
  post('json: 300,000 empty arrays', { body: `{"a":[${'[],'.repeat(300_000)}[]]}` }, BAD),
  post('json: __proto__ as a key', { body: with_('"__proto__":{"model":5,"stream":true}') }, OK),
  post('json: __proto__ in place of fields', { body: `{"__proto__":${VALID_BODY}}` }, badField('model')),
  post('json: constructor as a key', { body: with_('"constructor":{"prototype":{"x":1}},"toString":1') }, OK),
  post('json: the same key twice', { body: `{"model":5,"model":"svc-max",${MESSAGES},"stream":false}` }, OK),
  post('json: escaped key', { body: VALID_BODY.replace('"model"', '"\\u006dodel"') }, OK),
  post('json: white space around', { body: `\r\n\t ${VALID_BODY}\n` }, OK),
  post('json: byte by byte chunks of structure', { body: VALID_BODY, chunked: true }, OK),
];

/** Encodings and odd characters. */
export const TEXT_CASES: readonly HostileCase[] = [
  post('text: byte order mark', { body: `\uFEFF${VALID_BODY}` }, OK),
  post('text: all planes', { body: VALID_BODY.replace('hi', 'ü漢😀\u2028\u2029\u0085') }, OK),
  post('text: escaped lone surrogate', { body: VALID_BODY.replace('hi', '\\ud800') }, OK),
  post(
    'text: line breaks and event fields',
    { body: VALID_BODY.replace('hi', '\\r\\n\\r\\ndata: [DONE]') },
    OK,
  ),
  post('text: invalid UTF-8', { body: Buffer.from(VALID_BODY.replace('hi', '\xff'), 'latin1') }, BAD),
  post('text: overlong UTF-8', { body: Buffer.from(VALID_BODY.replace('hi', '\xc0\xaf'), 'latin1') }, BAD),
  post(
    'text: UTF-8 surrogate',
    { body: Buffer.from(VALID_BODY.replace('hi', '\xed\xa0\x80'), 'latin1') },
    BAD,
  ),
  post('text: cut UTF-8', { body: Buffer.from(VALID_BODY.replace('hi', '\xf0\x9f'), 'latin1') }, BAD),
  post('text: Latin-1', { body: Buffer.from(VALID_BODY.replace('hi', 'sch\xf6n'), 'latin1') }, BAD),
  post('text: UTF-16', { body: Buffer.from(`\uFEFF${VALID_BODY}`, 'utf16le') }, BAD),
  post(
    'text: cut UTF-8 at the end',
    { body: Buffer.concat([Buffer.from(VALID_BODY), Buffer.from([0xe6, 0xbc])]) },
    BAD,
  ),
];

/** Fields that the first look at the parameters refuses, and fields that must not matter. */
export const FIELD_CASES: readonly HostileCase[] = [
  post('field: nothing', { body: '{}' }, badField('model')),
  post('field: no model', { body: `{${MESSAGES}}` }, badField('model')),
  post('field: model null', { body: `{"model":null,${MESSAGES}}` }, badField('model')),
  post('field: model a number', { body: `{"model":1,${MESSAGES}}` }, badField('model')),
  post('field: model an object', { body: `{"model":{"id":"svc-max"},${MESSAGES}}` }, badField('model')),
  post('field: model empty', { body: `{"model":"",${MESSAGES}}` }, badField('model')),
  post(
    'field: model unknown',
    { body: `{"model":"../../etc/passwd",${MESSAGES}}` },
    {
      status: 404,
      code: 'model_not_found',
      param: 'model',
    },
  ),
  post('field: no messages', { body: '{"model":"svc-max"}' }, badField('messages')),
  post('field: messages a string', { body: '{"model":"svc-max","messages":"hi"}' }, badField('messages')),
  post('field: messages empty', { body: '{"model":"svc-max","messages":[]}' }, badField('messages')),
  post('field: messages null', { body: '{"model":"svc-max","messages":null}' }, badField('messages')),
  post('field: message a string', { body: '{"model":"svc-max","messages":["hi"]}' }, badField('messages[0]')),
  post('field: stream a string', { body: with_('"stream":"false"') }, badField('stream')),
  post('field: temperature a string', { body: with_('"temperature":"0.5"') }, badField('temperature')),
  post('field: temperature too high', { body: with_('"temperature":2.01') }, badField('temperature')),
  post('field: temperature below zero', { body: with_('"temperature":-0.1') }, badField('temperature')),
  post('field: temperature 1e999', { body: with_('"temperature":1e999') }, badField('temperature')),
  post('field: top_p above one', { body: with_('"top_p":1.5') }, badField('top_p')),
  post('field: max_tokens zero', { body: with_('"max_tokens":0') }, badField('max_tokens')),
  post('field: max_tokens a fraction', { body: with_('"max_tokens":1.5') }, badField('max_tokens')),
  post('field: n a million', { body: with_('"n":1000000') }, badField('n')),
  post('field: stream_options a list', { body: with_('"stream_options":[]') }, badField('stream_options')),
  post(
    'field: include_usage a string',
    { body: with_('"stream_options":{"include_usage":"yes"}') },
    badField('stream_options.include_usage'),
  ),
  post('field: tools an object', { body: with_('"tools":{}') }, badField('tools')),
  post(
    'field: other upstream asked for',
    { body: with_('"api_base":"http://127.0.0.1:1","base_url":"http://x"') },
    OK,
  ),
  post(
    'field: template options',
    { body: with_('"chat_template_kwargs":{"x":"{{7*7}}"},"extra_body":{}') },
    OK,
  ),
  post(
    'field: nulls mean absent',
    { body: with_('"temperature":null,"top_p":null,"tools":null,"n":null') },
    OK,
  ),
];

/** Content types and encodings: everything that a web page can send without asking is among them. */
export const CONTENT_TYPE_CASES: readonly HostileCase[] = [
  ...[
    'text/plain',
    'text/plain;charset=UTF-8',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/x-ndjson',
    'application/ld+json',
    'application/problem+json',
    'application/jsonp',
    'application/javascript',
    'application/octet-stream',
    'application/json, text/plain',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'json',
    '*/*',
    '',
  ].map((type) => post(`type: ${type || 'empty'}`, { headers: { 'Content-Type': type } }, BAD_TYPE)),
  post('type: absent', { headers: { 'Content-Type': undefined } }, BAD_TYPE),
  post('type: absent, chunked', { chunked: true, headers: { 'Content-Type': undefined } }, BAD_TYPE),
  post('type: twice', { headers: { 'Content-Type': ['application/json', 'text/plain'] } }, BAD_TYPE),
  post(
    'type: twice the same',
    { headers: { 'Content-Type': ['application/json', 'application/json'] } },
    BAD_TYPE,
  ),
  ...['application/json; charset=UTF-8', 'APPLICATION/JSON', 'application/json;charset="utf-8"; x=y'].map(
    (type) => post(`type: ${type}`, { headers: { 'Content-Type': type } }, OK),
  ),
  ...['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip, gzip', 'x-unknown', 'identity, gzip'].map((encoding) =>
    post(`encoding: ${encoding}`, { headers: { 'Content-Encoding': encoding } }, BAD_TYPE),
  ),
  post('encoding: identity', { headers: { 'Content-Encoding': 'identity' } }, OK),
];
