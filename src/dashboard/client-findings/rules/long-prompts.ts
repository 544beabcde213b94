import { type RequestLogEntry } from '../../../logs/records/request-log-entry.js';
import { type ClientTraffic, groupedBy, type OfferedModel, type Symptom } from '../client-finding.js';

/** In a row: a client that compacts its history is answered after one, at most two. */
const LEAST = 3;

/** The client goes on with prompts that are too long, after it was told. */
export function longPrompts(traffic: ClientTraffic, models: readonly OfferedModel[]): Symptom[] {
  return [...groupedBy(inARow(traffic), ({ model }) => model)]
    .filter(([, requests]) => requests.length >= LEAST)
    .map(([id, requests]) => {
      const tokens = models.find((model) => model.id === id)?.contextWindow;
      const line = tokens === undefined ? undefined : lineFor(requests[0]?.client, tokens);
      return {
        symptom: `It sends prompts that are too long for ${id} again and again, and does not shorten them.`,
        cure: `Set the context window in it${tokens === undefined ? '' : ` to ${tokens} tokens`}, by which it compacts its history, or begin a new conversation.`,
        ...(line !== undefined && { line }),
        requests,
      };
    });
}

/** Refused prompts with no answer in between to the client, whichever model it asked. */
function inARow({ failed, answered, answeredSince }: ClientTraffic): RequestLogEntry[] {
  const refused = failed.filter(
    ({ error, startedAt }) => error?.reason === 'context_window_exceeded' && startedAt >= answeredSince,
  );
  const runs = groupedBy(
    refused,
    ({ startedAt }) => answered.filter((answer) => answer.startedAt < startedAt).length,
  );
  return [...runs.values()].filter((run) => run.length >= LEAST).flat();
}

/** In the words of clients that are known to have a setting for it. */
function lineFor(client: string | undefined, tokens: number): string | undefined {
  if (client?.startsWith('codex')) {
    return `model_context_window = ${tokens}`;
  }
  return client?.startsWith('claude-cli') ? `CLAUDE_CODE_MAX_CONTEXT_TOKENS=${tokens}` : undefined;
}
