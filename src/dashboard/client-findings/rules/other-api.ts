import { type ClientTraffic, groupedBy, type Symptom } from '../client-finding.js';

const LEAST = 2;
/** Paths by which other APIs are known. */
const APIS: readonly (readonly [api: string, path: RegExp])[] = [
  ['Ollama', /^\/api\/(?:chat|generate|tags|show)$/],
  ['Azure OpenAI', /^\/openai\/deployments\/./],
  ['Gemini', /^\/v1beta\/models\/./],
];

/** The client takes the gateway for a provider with an API of its own. */
export function otherApi({ failed }: ClientTraffic): Symptom[] {
  const groups = groupedBy(failed, ({ error, path }) =>
    error?.reason === 'not_found' ? APIS.find(([, pattern]) => pattern.test(path))?.[0] : undefined,
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
