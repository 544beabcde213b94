import { type ClientTraffic, groupedBy, type Symptom } from '../client-finding.js';

const LEAST = 2;
/** Endpoints of the format that answer no chats, with what they are for. */
const PURPOSES: ReadonlyMap<string, string> = new Map([
  ['embeddings', 'embeddings'],
  ['embed', 'embeddings'],
  ['embedContent', 'embeddings'],
  ['batchEmbedContents', 'embeddings'],
  ['rerank', 'reranking'],
  ['images', 'images'],
  ['audio', 'speech'],
  ['moderations', 'moderation'],
  ['files', 'files'],
  ['vector_stores', 'vector stores'],
  ['assistants', 'assistants'],
  ['batches', 'batches'],
]);

/** What a path asks for: its first word, or in the Gemini API its last. */
const ENDPOINT = /^\/(?:v1|api)\/(\w+)|^\/v1beta\/.*:(\w+)$/;

/** The client has work for the gateway that is no chat, such as embeddings. */
export function missingEndpoint({ failed }: ClientTraffic): Symptom[] {
  const groups = groupedBy(failed, ({ error, path }) => {
    const [, first, method] = ENDPOINT.exec(path) ?? [];
    return error?.reason === 'not_found' ? PURPOSES.get(first ?? method ?? '') : undefined;
  });
  return [...groups]
    .filter(([, requests]) => requests.length >= LEAST)
    .map(([purpose, requests]) => ({
      symptom: `It asks for ${requests.at(-1)?.path ?? ''}, which the gateway does not have.`,
      cure: `Give it another service for ${purpose}, or switch off what needs it.`,
      requests,
    }));
}
