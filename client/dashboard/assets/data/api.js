import { noteServerTime } from '../widgets/kit/ticker.js';
import { askForKey } from '../widgets/shell/key-dialog.js';
import { connection } from './connection.js';

const KEY = 'gateway-key';
const TIMEOUT_MS = 20_000;
/** Something that every key may read, and that costs the gateway next to nothing. */
const PROBE = '/dashboard/api/models';

/** An answer other than success. */
export class ApiError extends Error {
  /** @param {number} status HTTP status; 0 if there was no answer */
  constructor(status, message, { param, code } = {}) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.param = param;
    this.code = code;
  }
}

let asking;
let hasDeclined = false;

export function hasKey() {
  return sessionStorage.getItem(KEY) !== null;
}

export function useKey(key) {
  if (key === '') {
    sessionStorage.removeItem(KEY);
  } else {
    sessionStorage.setItem(KEY, key);
  }
}

/** @returns {Promise<any>} the parsed body */
export async function getJson(path, { signal } = {}) {
  const response = await request(path, { signal: limited(signal) });
  return bodyOf(response);
}

/** The body and the `ETag` that came with it. */
export async function getVersioned(path) {
  const response = await request(path, { signal: limited() });
  return { body: await bodyOf(response), etag: response.headers.get('etag') };
}

/**
 * Changes something.
 *
 * @param {'POST' | 'PATCH' | 'DELETE'} method
 * @param {unknown} [body] sent as JSON
 * @param {Record<string, string>} [headers]
 */
export async function send(method, path, body, headers = {}) {
  const response = await request(path, {
    method,
    signal: limited(),
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return {
    body: response.status === 204 ? undefined : await bodyOf(response),
    etag: response.headers.get('etag'),
  };
}

/** A picture as a `data:` URL, which the page's policy lets an image show. */
export async function getPicture(path) {
  const response = await request(path, { signal: limited() });
  const blob = await response.blob();
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('The picture cannot be read.'));
    reader.readAsDataURL(blob);
  });
}

/** Opens a response that goes on until the signal ends it. */
export function openStream(path, headers, signal) {
  return request(path, { headers, signal });
}

/** Asks for the key as often as it takes; rejects with `ApiError` otherwise. */
async function request(path, options) {
  for (;;) {
    const key = sessionStorage.getItem(KEY);
    const response = await fetchWithKey(path, options, key);
    if (response.ok) {
      return response;
    }
    if (response.status !== 401) {
      throw await toError(response);
    }
    if (key === sessionStorage.getItem(KEY)) {
      await demandKey(key !== null);
    }
  }
}

async function fetchWithKey(path, options, key) {
  try {
    const response = await fetch(path, {
      ...options,
      cache: 'no-store',
      headers: { ...options.headers, ...(key === null ? {} : { Authorization: `Bearer ${asBytes(key)}` }) },
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

/** One dialog for all calls that wait for the key. */
async function demandKey(isStale) {
  if (hasDeclined) {
    throw new ApiError(401, 'The API key is needed.');
  }
  asking ??= askForKey({ isStale, check: checkKey }).finally(() => (asking = undefined));
  if (!(await asking)) {
    hasDeclined = true;
    throw new ApiError(401, 'The API key is needed.');
  }
}

/** Keeps a key that is right. @returns {Promise<'right' | 'wrong' | 'unreachable'>} */
async function checkKey(key) {
  try {
    const response = await fetchWithKey(PROBE, { signal: limited() }, key);
    if (response.status === 401) {
      return 'wrong';
    }
    useKey(key);
    return 'right';
  } catch {
    return 'unreachable';
  }
}

connection.probe = async () => {
  try {
    await fetchWithKey(PROBE, { signal: limited() }, sessionStorage.getItem(KEY));
    return true;
  } catch {
    return false;
  }
};

/** Headers carry bytes: a key that is not ASCII goes over as UTF-8. */
function asBytes(key) {
  return String.fromCharCode(...new TextEncoder().encode(key));
}

function limited(signal) {
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  return signal ? AbortSignal.any([signal, limit]) : limit;
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
    // A proxy may have answered in the gateway's place.
  }
  return new ApiError(
    response.status,
    error?.message ?? `The gateway answered with status ${response.status}.`,
    error,
  );
}
