/**
 * Beginnings of the user agents of libraries that repeat a request whose connection broke before the status line,
 * whatever the error looks like, and do so twice unless told otherwise. Seen with `openai` 7.57 (after 0.4 and 0.9 s)
 * and `@langchain/openai` 1.5 (from 1.2 s on, six times). The AI SDK is none of them: it repeats (after 2 and 4 s) only
 * what it takes for a failed `fetch` by class and message, so that under another runtime, another `fetch` or in a
 * realm of its own, as in Jest, its user would see the error.
 */
const USER_AGENTS = ['openai/', 'asyncopenai/', 'azureopenai/', 'asyncazureopenai/', 'langchain'];

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Whether the caller is a library that is known to repeat a request by itself.
 * @param headers with names in lower case, as Node gives them
 */
export function isRetryingClient(headers: Headers): boolean {
  const agent = String(headers['user-agent'] ?? '').toLowerCase();
  return headers['x-stainless-lang'] !== undefined || USER_AGENTS.some((name) => agent.startsWith(name));
}
