/** A hostile or unusual request, and the answer that it must get. */
export interface HostileCase {
  readonly name: string;
  /** Bytes of the whole request; `{host}` stands for the gateway's host and port. */
  readonly request: (options: RequestOptions) => Buffer;
  /** Status of the answer to a caller with the right key. */
  readonly expect: Expected;
  /** Whether the answer is the same for callers without a key, who get 401 otherwise. */
  readonly isBeforeKey: boolean;
  readonly isHead: boolean;
}

export interface Expected {
  readonly status: number;
  /** Of the error envelope; none if the request is answered as asked. */
  readonly code?: string;
  readonly param?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RequestOptions {
  readonly host: string;
  /** Value of the `Authorization` header; none without it. */
  readonly authorization: string | undefined;
}

export interface RequestParts {
  readonly method?: string;
  readonly path?: string;
  readonly version?: string;
  /** Additions to the default headers, or replacements of them; undefined removes one. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: string | Buffer;
  /** Sends the body in chunks, instead of with `Content-Length`. */
  readonly chunked?: boolean;
}

interface CaseOptions {
  readonly isBeforeKey?: boolean;
}

export const VALID_BODY = '{"model":"svc-max","messages":[{"role":"user","content":"hi"}],"stream":false}';

export const OK: Expected = { status: 200 };
export const BAD: Expected = { status: 400, code: 'invalid_request' };
export const NOT_FOUND: Expected = { status: 404, code: 'not_found' };
export const NO_KEY: Expected = {
  status: 401,
  code: 'invalid_api_key',
  headers: { 'www-authenticate': 'Bearer' },
};
export const BAD_TYPE: Expected = { status: 415, code: 'unsupported_media_type' };
export const BAD_HOST: Expected = { status: 403, code: 'host_not_allowed' };
export const BAD_ORIGIN: Expected = { status: 403, code: 'origin_not_allowed' };

export const badField = (param: string): Expected => ({ ...BAD, param });
export const badMethod = (allow: string): Expected => ({
  status: 405,
  code: 'method_not_allowed',
  headers: { allow },
});

/** A completion request, valid but for the parts given. */
export function post(
  name: string,
  parts: RequestParts,
  expected: Expected,
  options: CaseOptions = {},
): HostileCase {
  return request(
    name,
    { method: 'POST', path: '/v1/chat/completions', body: VALID_BODY, ...parts },
    expected,
    options,
  );
}

/** A request for the model list, valid but for the parts given. */
export function get(
  name: string,
  parts: RequestParts,
  expected: Expected,
  options: CaseOptions = {},
): HostileCase {
  return request(name, { method: 'GET', path: '/v1/models', ...parts }, expected, options);
}

/** A request written out byte by byte. */
export function raw(
  name: string,
  text: string,
  expected: Expected,
  { isBeforeKey = true } = {},
): HostileCase {
  return {
    name,
    expect: expected,
    isBeforeKey,
    isHead: false,
    request: ({ host, authorization }) =>
      Buffer.from(
        text
          .replaceAll('{host}', host)
          .replaceAll('{auth}', authorization === undefined ? '' : `Authorization: ${authorization}\r\n`),
        'latin1',
      ),
  };
}

function request(
  name: string,
  parts: RequestParts,
  expected: Expected,
  { isBeforeKey = false }: CaseOptions,
): HostileCase {
  return {
    name,
    expect: expected,
    isBeforeKey,
    isHead: parts.method === 'HEAD',
    request: (options) => build(parts, options),
  };
}

function build(
  { method, path, version = '1.1', body, chunked, headers }: RequestParts,
  options: RequestOptions,
): Buffer {
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const fields: Record<string, string | readonly string[] | undefined> = {
    Host: '{host}',
    Authorization: options.authorization,
    ...(bytes && { 'Content-Type': 'application/json' }),
    ...(bytes && (chunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': String(bytes.length) })),
    ...headers,
  };
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    [value ?? []].flat().map((item: string) => `${name}: ${item}\r\n`),
  );
  const head = `${method} ${path} HTTP/${version}\r\n${lines.join('')}\r\n`.replaceAll(
    '{host}',
    options.host,
  );
  const payload = bytes && chunked ? inChunks(bytes) : bytes;
  return Buffer.concat([Buffer.from(head, 'latin1'), payload ?? Buffer.alloc(0)]);
}

/** Two chunks, so that borders fall within values. */
function inChunks(bytes: Buffer): Buffer {
  const middle = Math.ceil(bytes.length / 2);
  const chunks = [bytes.subarray(0, middle), bytes.subarray(middle)].filter(({ length }) => length > 0);
  return Buffer.concat([
    ...chunks.flatMap((chunk) => [
      Buffer.from(`${chunk.length.toString(16)}\r\n`),
      chunk,
      Buffer.from('\r\n'),
    ]),
    Buffer.from('0\r\n\r\n'),
  ]);
}
