/**
 * Beginnings of the user agents of libraries that retry a request, twice by default, when its connection breaks
 * before the status line, whatever the error looks like. Measured with `openai` 7.57 (after 0.4 and 0.9 s) and
 * `@langchain/openai` 1.5 (from 1.2 s on, six times). The AI SDK is not listed: it retries (after 2 and 4 s) only
 * errors whose class and message it knows as a failed `fetch`, so under another runtime, another `fetch` or in
 * another realm, as in Jest, its user would see the error.
 */
const USER_AGENTS = ['openai/', 'asyncopenai/', 'azureopenai/', 'asyncazureopenai/', 'langchain'];

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Whether the caller is a library that is known to retry by itself.
 * @param headers with names in lower case, as Node gives them
 */
export function isRetryingClient(headers: Headers): boolean {
  const agent = String(headers['user-agent'] ?? '').toLowerCase();
  return headers['x-stainless-lang'] !== undefined || USER_AGENTS.some((name) => agent.startsWith(name));
}
