/** Posts JSON with the headers that the server requires of its own page. */
export function post(path, value, csrfToken) {
  return fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': csrfToken, 'x-client-version': '1' },
    body: JSON.stringify(value),
  });
}

/** A response in place of an answer. */
export async function refusalFrom(response) {
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    type: response.headers.get('content-type') ?? '',
    body: await response.text(),
  };
}
