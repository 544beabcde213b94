import { ENDPOINTS, GEMINI_ENDPOINT, OLLAMA_ENDPOINT, OTHER_APIS } from '../../../logs/api-call.js';
import { type ClientTraffic, type Cure, groupedBy, type Symptom } from '../client-finding.js';

/** One may be a try by hand. */
const LEAST = 2;
const VERSION = '/v1';

/** An endpoint is looked for where it would be with a base URL that is not the gateway's. */
export function wrongBaseUrl({ failed }: ClientTraffic): Symptom[] {
  // Several endpoints may be looked for, for one fault.
  const groups = groupedBy(failed, ({ error, path }) =>
    error?.reason === 'not_found' ? cureOf(path)?.cure : undefined,
  );
  return [...groups.values()]
    .filter((requests) => requests.length >= LEAST)
    .flatMap((requests) => {
      const path = requests.at(-1)?.path ?? '';
      const cure = cureOf(path);
      return cure ? [{ symptom: `It asks for ${path}, where nothing is.`, ...cure, requests }] : [];
    });
}

/** Undefined for a path that no base URL explains. */
export function cureOf(asked: string): Cure | undefined {
  const path = asked.toLowerCase();
  const plain = path.replace(/\/{2,}/g, '/').replace(/\/$/, '');
  const ofOrigin = OLLAMA_ENDPOINT.exec(plain) ?? GEMINI_ENDPOINT.exec(plain);
  if (ofOrigin) {
    const wrong = plain.slice(0, ofOrigin.index);
    return wrong === ''
      ? undefined
      : { cure: `Set its base URL to this one, without ${wrong} in it.`, line: '{origin}' };
  }
  const endpoint = ENDPOINTS.find((end) => plain.endsWith(end));
  // Paths of other APIs end in the same words; their clients need another kind of provider.
  if (endpoint === undefined || OTHER_APIS.some(([, pattern]) => pattern.test(plain))) {
    return undefined;
  }
  const before = plain.slice(0, -endpoint.length);
  switch (before) {
    case VERSION:
      return path === plain ? undefined : { cure: 'Take the slash off the end of its base URL.' };
    case '':
      return { cure: 'Set its base URL to this one, which ends in /v1.', line: `{origin}${VERSION}` };
    case VERSION + VERSION:
      return {
        cure: 'It adds /v1 by itself: set its base URL to this one, which does not end in it.',
        line: '{origin}',
      };
    default:
      return beside(before);
  }
}

/** Something stands before the endpoint that does not belong there, such as `/api`. */
function beside(before: string): Cure {
  if (!before.endsWith(VERSION)) {
    return { cure: `Set its base URL to this one, without ${before} in it.`, line: `{origin}${VERSION}` };
  }
  // Whether the client adds /v1 by itself cannot be told.
  return { cure: `Take ${before.slice(0, -VERSION.length)} out of its base URL.` };
}
