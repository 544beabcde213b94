import { isApiTarget } from '../../../common/http/api-target.js';
import { type ClientTraffic, type Symptom } from '../client-finding.js';

const LEAST = 3;

/** The client has no key, or one that is not valid, and goes on. */
export function refusedKey({ failed }: ClientTraffic): Symptom[] {
  // The dashboard asks for its key by itself.
  const requests = failed.filter(
    ({ error, path }) => error?.reason === 'invalid_api_key' && isApiTarget(path),
  );
  const message = requests.at(-1)?.error?.message ?? 'The key is missing or wrong.';
  return requests.length < LEAST
    ? []
    : [
        {
          symptom: `It is turned away again and again: ${message}`,
          cure: 'If it is one of yours, give it a key of the page Keys, sent as this header or as x-api-key.',
          line: 'Authorization: Bearer <key>',
          page: 'keys',
          requests,
        },
      ];
}
