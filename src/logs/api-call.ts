import { API_ROOTS } from '../common/http/api-target.js';

/** What clients add to a base URL, the longer before its own end. */
export const ENDPOINTS: readonly string[] = [
  '/chat/completions',
  '/completions',
  '/messages',
  '/responses',
  '/models',
];

/** Endpoints of the Ollama API, whose base URL is the gateway's origin; of those that are not served, the ones of models. */
export const OLLAMA_ENDPOINT = /\/api\/(?:chat|generate|tags|show|version|ps|embed|embeddings)$/i;

/** Endpoints of the Gemini API, whose base URL is the gateway's origin. */
export const GEMINI_ENDPOINT = /\/v1beta\/models(?:\/.*)?$/i;

/** Paths by which the APIs of other providers are known. */
export const OTHER_APIS: readonly (readonly [api: string, path: RegExp])[] = [
  ['Azure OpenAI', /^\/openai\/deployments\/./],
];

/** Many other APIs have the root of the Ollama API, too: below it, only known endpoints count. */
const SHARED_ROOT = 'api';
const OWN_ROOTS = API_ROOTS.filter((root) => root !== SHARED_ROOT);
const API = new RegExp(`^/(?:${OWN_ROOTS.join('|')})(?:/|$)`, 'i');
const OWN_PAGES = '/dashboard/';

/** Whether a request has an entry in the log: it is for the API, or was meant for it. @param path as Express routes it */
export function isApiCall(path: string): boolean {
  return API.test(path) || isMisplaced(path);
}

/** Whether a client asks for it that has another base URL, or takes the gateway for a provider with another API. */
function isMisplaced(path: string): boolean {
  const plain = path.toLowerCase().replace(/\/$/, '');
  const isKnown =
    ENDPOINTS.some((endpoint) => plain.endsWith(endpoint)) ||
    OLLAMA_ENDPOINT.test(plain) ||
    GEMINI_ENDPOINT.test(plain) ||
    OTHER_APIS.some(([, pattern]) => pattern.test(path));
  return isKnown && !path.startsWith(OWN_PAGES);
}
