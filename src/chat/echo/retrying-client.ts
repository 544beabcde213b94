/**
 * Beginnings of the user agents of libraries that repeat a request whose connection broke before the status line, and
 * do so twice unless told otherwise. Seen with `openai` 7.57 (after 0.4 and 0.9 s), the AI SDK 7 (2 and 4 s, under the
 * name of its provider package when it streams) and `@langchain/openai` 1.5 (from 1.2 s on, six times).
 */
const USER_AGENTS = [
  'openai/',
  'asyncopenai/',
  'azureopenai/',
  'asyncazureopenai/',
  'ai/',
  'ai-sdk',
  'langchain',
];

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Whether the caller is a library that is known to repeat a request by itself.
 * @param headers with names in lower case, as Node gives them
 */
export function isRetryingClient(headers: Headers): boolean {
  const agent = String(headers['user-agent'] ?? '').toLowerCase();
  return headers['x-stainless-lang'] !== undefined || USER_AGENTS.some((name) => agent.startsWith(name));
}
