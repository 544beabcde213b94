import { type ClientTraffic, type Symptom } from '../client-finding.js';

/** A limit that is met now and then does what it is for. */
const LEAST = 10;

/** The limits of the key are too low for what the client does. */
export function usedUpKey({ failed }: ClientTraffic): Symptom[] {
  const requests = failed.filter(({ error }) => error?.reason === 'key_limited');
  return requests.length < LEAST
    ? []
    : [
        {
          symptom:
            `It meets the limits of its key again and again: ${requests.at(-1)?.error?.message ?? ''}`.trim(),
          cure: 'Raise the limits of the key, give the client a key of its own, or have it send less at once.',
          page: 'keys',
          requests,
        },
      ];
}
