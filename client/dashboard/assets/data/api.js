import { connection } from './connection.js';
import { authorization } from './key/authorization.js';
import { storedKey, useKey } from './key/key-store.js';
import { noteServerTime } from './server-clock.js';

const TIMEOUT_MS = 20_000;
/** Cheap endpoint behind any key: what its holder may know of it. Used to check keys and reachability, too. */
export const OWN_KEY = '/dashboard/api/own-key';

/** A response other than 2xx, or none. */
export class ApiError extends Error {
  /** @param {number} status HTTP status; 0 without a response */
  constructor(status, message, { param, code } = {}, requestId = undefined) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.param = param;
    this.code = code;
    /** Id of the refused request in the log. */
    this.requestId = requestId;
  }
}

/**
 * Asks the user for the key.
 *
 * @callback KeyPrompt
 * @param {{ isStale: boolean, check: (key: string, isKept: boolean) => Promise<'right' | 'wrong' | 'unreachable'> }} options `isStale`:
 *   a key was sent and refused; `check` takes a right key into use
 * @returns {Promise<boolean>} false if the user declined
 */

/** @type {KeyPrompt} */
let keyPrompt = async () => false;
/** The open prompt; undefined without one. */
let asking;
let hasDeclined = false;

/**
 * Sets the prompt for the key; the shell does, before the first request.
 *
 * @param {KeyPrompt} prompt
 */
export function promptForKeyWith(prompt) {
  keyPrompt = prompt;
}

/** @returns {Promise<any>} the parsed body; rejects with `ApiError`, as all calls here */
export async function getJson(path, { signal } = {}) {
  const response = await request(path, { signal });
  return bodyOf(response);
}

/** The body of a page of a list as it is, and the cursor of the next page; null at the end. */
export async function getTextPage(path) {
  const response = await request(path);
  return { text: await response.text(), next: response.headers.get('x-next') };
}

/** The parsed body and its `ETag`. */
export async function getVersioned(path) {
  const response = await request(path);
  return { body: await bodyOf(response), etag: response.headers.get('etag') };
}

/**
 * Sends a change.
 *
 * @param {'POST' | 'PATCH' | 'DELETE'} method
 * @param {unknown} [body] sent as JSON
 * @param {Record<string, string>} [headers]
 * @param {number} [limitMs] time for the answer
 */
export async function send(method, path, body, headers = {}, limitMs = TIMEOUT_MS) {
  const options = {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  };
  const response = await request(path, options, limitMs);
  connection.dispatchEvent(new Event('changed'));
  return {
    body: response.status === 204 ? undefined : await bodyOf(response),
    etag: response.headers.get('etag'),
  };
}

/** An image as a `data:` URL, which the page's content policy allows. */
export async function getPicture(path) {
  const response = await request(path);
  const blob = await response.blob();
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('The picture cannot be read.'));
    reader.readAsDataURL(blob);
  });
}

/** Opens a response without a time limit; the signal ends it. @param {'GET' | 'POST'} [method] */
export function openStream(path, headers, signal, method = 'GET') {
  return request(path, { method, headers, signal }, Infinity);
}

/**
 * Asks for a chat completion, without a time limit: its signal ends it. An `ApiError` has the request's id.
 *
 * @param {Record<string, any>} body
 * @param {AbortSignal} signal
 */
export function openCompletion(body, signal) {
  const headers = { 'Content-Type': 'application/json' };
  const options = { method: 'POST', signal, headers, body: JSON.stringify(body) };
  return request('/v1/chat/completions', options, Infinity);
}

/**
 * Sends a request, prompting for the key after each 401 until it is right or the user declines.
 * @param {number} [limitMs] of each try; a person may take longer
 */
async function request(path, options = {}, limitMs = TIMEOUT_MS) {
  for (;;) {
    const key = storedKey();
    const response = await fetchWithKey(path, limited(options, limitMs), key);
    if (response.ok) {
      return response;
    }
    if (response.status !== 401) {
      throw await toError(response);
    }
    if (key === storedKey()) {
      await demandKey(key !== null);
    }
  }
}

async function fetchWithKey(path, options, key) {
  try {
    const response = await fetch(path, {
      ...options,
      cache: 'no-store',
      headers: { ...options.headers, ...authorization(key) },
    });
    noteServerTime(response.headers.get('date'));
    connection.works();
    return response;
  } catch (error) {
    if (error.name === 'AbortError') {
      throw error;
    }
    connection.lost();
    throw new ApiError(0, 'The gateway does not answer.');
  }
}

/** Shows one prompt for all waiting requests. */
async function demandKey(isStale) {
  if (hasDeclined) {
    throw new ApiError(401, 'The API key is needed.');
  }
  asking ??= keyPrompt({ isStale, check: checkKey }).finally(() => (asking = undefined));
  if (!(await asking)) {
    hasDeclined = true;
    throw new ApiError(401, 'The API key is needed.');
  }
}

/** Checks a key, and uses it if it is right. @returns {Promise<'right' | 'wrong' | 'unreachable'>} */
async function checkKey(key, isKept) {
  try {
    const response = await fetchWithKey(OWN_KEY, limited({}), key);
    if (response.status === 401) {
      return 'wrong';
    }
    useKey(key, isKept);
    return 'right';
  } catch {
    return 'unreachable';
  }
}

/** Whether the gateway takes a key, or null for none. False if it does not answer. */
export async function takesKey(key) {
  try {
    const { status } = await fetchWithKey(OWN_KEY, limited({}), key);
    return status !== 401;
  } catch {
    return false;
  }
}

connection.probe = async () => {
  try {
    await fetchWithKey(OWN_KEY, limited({}), storedKey());
    return true;
  } catch {
    return false;
  }
};

/** Options of `fetch` with a time limit that begins now. */
function limited(options, limitMs = TIMEOUT_MS) {
  if (limitMs === Infinity) {
    return options;
  }
  const limit = AbortSignal.timeout(limitMs);
  return { ...options, signal: options.signal ? AbortSignal.any([options.signal, limit]) : limit };
}

async function bodyOf(response) {
  try {
    return await response.json();
  } catch {
    throw new ApiError(response.status, 'The gateway sent an answer that cannot be read.');
  }
}

async function toError(response) {
  let error;
  try {
    ({ error } = await response.json());
  } catch {
    // The body is not JSON: a proxy may have answered in place of the gateway.
  }
  return new ApiError(
    response.status,
    error?.message ?? `The gateway answered with status ${response.status}.`,
    error,
    response.headers.get('x-request-id') ?? undefined,
  );
}
