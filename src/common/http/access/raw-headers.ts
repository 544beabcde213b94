import { type IncomingMessage } from 'node:http';

/**
 * Number of fields of a name. Node keeps only the first `Host` or `Authorization`; a second one, which a proxy in front
 * may have read instead, is visible nowhere else.
 * @param name in lower case
 */
export function countHeader(request: IncomingMessage, name: string): number {
  const { rawHeaders } = request;
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const field = rawHeaders[i];
    if (field?.length === name.length && field.toLowerCase() === name) {
      count++;
    }
  }
  return count;
}
