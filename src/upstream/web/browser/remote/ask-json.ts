import { unescape } from 'node:querystring';
import { Client } from 'undici';

const CONNECT_LIMIT_MS = 5000;
const BODY_LIMIT_MS = 10_000;
/** Far above any answer that is asked for here. */
const MAX_ANSWER_BYTES = 2 ** 20;

export interface JsonQuestion {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Ends the request, whose head has no other limit. */
  readonly signal: AbortSignal;
  /** Path with query, in place of that of the URL. */
  readonly path: string;
  readonly body?: unknown;
  /** `Host` header, where it differs from the URL's. */
  readonly host?: string;
  /** Name in the certificate, where it differs from the URL's host. */
  readonly servername?: string;
}

/**
 * Asks a server once, on a connection of its own, with the name and password in the URL if there are any. Resolves to
 * what the body says; rejects with an error that names the status if that is none of success, and nothing of the URL.
 */
export async function askJson(
  url: URL,
  { method, signal, path, body, host, servername }: JsonQuestion,
): Promise<unknown> {
  const client = new Client(url.origin, {
    connect: { timeout: CONNECT_LIMIT_MS, ...(servername !== undefined && { servername }) },
    headersTimeout: 0,
    bodyTimeout: BODY_LIMIT_MS,
    maxResponseSize: MAX_ANSWER_BYTES,
  });
  try {
    const response = await client.request({
      method,
      path,
      signal,
      headers: {
        ...(host !== undefined && { host }),
        ...authorization(url),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.body.text();
    if (response.statusCode >= 300) {
      throw new Error(`It answered with status ${response.statusCode}.`);
    }
    return JSON.parse(text);
  } finally {
    await client.destroy();
  }
}

/** The header for the name and password in a URL; none without. */
export function authorization({ username, password }: URL): { readonly authorization?: string } {
  if (username === '' && password === '') {
    return {};
  }
  // Unlike decodeURIComponent, it takes a `%` that begins no encoding as it stands.
  const credentials = `${unescape(username)}:${unescape(password)}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}
