import { OTHER_APIS } from '../../../logs/api-call.js';
import { type ClientTraffic, groupedBy, type Symptom } from '../client-finding.js';

const LEAST = 2;

/** The client takes the gateway for a provider with an API of its own. */
export function otherApi({ failed }: ClientTraffic): Symptom[] {
  const groups = groupedBy(failed, ({ error, path }) =>
    error?.reason === 'not_found' ? OTHER_APIS.find(([, pattern]) => pattern.test(path))?.[0] : undefined,
  );
  return [...groups]
    .filter(([, requests]) => requests.length >= LEAST)
    .map(([api, requests]) => ({
      symptom: `It speaks the API of ${api}: it asks for ${requests.at(-1)?.path ?? ''}.`,
      cure: 'Choose a provider of the kind “OpenAI-compatible” in it, with this base URL.',
      line: '{origin}/v1',
      requests,
    }));
}
