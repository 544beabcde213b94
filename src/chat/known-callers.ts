import { type Settings } from '../common/config/settings.js';
import { type StreamFailure } from './completion/output/completion-output.js';

/** Behaviour of the programs that call a gateway. */
export interface CallerHabits {
  /** Sends a request again by itself when its connection breaks before the status line, whatever the error looks like. */
  readonly retriesUnanswered: boolean;
  /** Its connection is not dropped for an answer, even where that is forced. Default: it may be. */
  readonly isNeverDropped?: boolean;
  readonly streamFailure: StreamFailure;
  /** Always names `stream` when it wants one, so that a request without it asks for JSON. */
  readonly namesStream: boolean;
}

interface KnownCaller {
  /** Of the user agent in lower case. */
  readonly agent: RegExp;
  /** Name of a header that is sent besides, where the user agent says too little. */
  readonly header?: string;
  readonly habits: CallerHabits;
}

const AGENT: CallerHabits = { retriesUnanswered: false, streamFailure: 'cut', namesStream: true };

/** A library that does not ask again by itself. */
const LIBRARY: CallerHabits = {
  retriesUnanswered: false,
  streamFailure: 'event_and_cut',
  namesStream: true,
};

/** Client library made by Stainless, known by its `x-stainless-*` headers under any user agent. */
const SDK: CallerHabits = { ...LIBRARY, retriesUnanswered: true };

const UNKNOWN: CallerHabits = { ...LIBRARY, namesStream: false };

/**
 * Measured with openai 7.57, AI SDK 7, LangChain 1.5, LiteLLM 1.110, codex 0.94, qwen 0.24, opencode 1.18, cline 3.0,
 * continue 1.5, pi 0.87, dspy 3.4, huggingface.js 4.13, promptfoo 0.123, BAML 0.226 and Ax 24.0 (`docs/agents.md`).
 * The first match counts, so agents stand before the libraries that they are made with.
 *
 * - Agents ask again when a connection breaks within a stream. After an error event qwen and cline stop, and codex takes
 *   what it has for the whole answer, so they get the broken connection alone.
 * - pi, Copilot CLI (both `OpenAI/JS`) and continue (`ls/JS`) cannot be told from the library of chat completions; they go
 *   on after either.
 * - The libraries do not ask again within a stream, so they get the text of the error. The AI SDK loses it if the
 *   connection breaks.
 * - The AI SDK retries only errors that it knows as a failed `fetch`, which depends on the runtime.
 */
const KNOWN_CALLERS: readonly KnownCaller[] = [
  // `codex_exec/…`, `codex_cli_rs/…`
  { agent: /^codex/, habits: AGENT },
  { agent: /^qwencode\//, habits: { ...AGENT, retriesUnanswered: true } },
  { agent: /^(?:opencode|kilo)/, habits: AGENT },
  { agent: /^cline/, habits: AGENT },
  // continue over the Messages format; programs of that library that are no agents get no event there either.
  { agent: /^node-fetch\b/, header: 'anthropic-version', habits: AGENT },
  // LangChainGo, behind the name of the program that it is built into, which may be any.
  { agent: /(?:^| )langchaingo\//, habits: LIBRARY },
  // cline and kilo have the AI SDK's user agent, on the runtime of agents that come as one file.
  { agent: /^ai(?:-sdk)?\b.* runtime\/bun/, habits: AGENT },
  { agent: /^ai(?:-sdk)?\b/, habits: { ...LIBRARY, streamFailure: 'event' } },
  { agent: /^(?:async)?(?:azure)?openai\//, habits: SDK },
  { agent: /^langchain(?!go)/, habits: SDK },
  // Its own HTTP client, which it uses for some providers in place of the OpenAI library.
  { agent: /^litellm\//, habits: LIBRARY },
  // That of dspy, which likewise takes any type and sends no `stream` where it wants JSON.
  { agent: /^lm15\//, habits: LIBRARY },
  // It takes any type as well.
  { agent: /^@huggingface\/inference\//, habits: LIBRARY },
  // Likewise, with the user agent of its runtime.
  { agent: /^/, header: 'x-promptfoo-version', habits: LIBRARY },
  // BAML, with none. It has the text of an error event unless the connection breaks.
  { agent: /^/, header: 'baml-original-url', habits: { ...LIBRARY, streamFailure: 'event' } },
  // Ax, with the user agent of its runtime, too. It fails on an error event without its text, and ends with either.
  { agent: /^/, header: 'x-retry-count', habits: AGENT },
];

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** @param headers with names in lower case, as Node gives them */
export function habitsOf(headers: Headers): CallerHabits {
  const agent = String(headers['user-agent'] ?? '').toLowerCase();
  const known = KNOWN_CALLERS.find(
    (caller) =>
      caller.agent.test(agent) && (caller.header === undefined || headers[caller.header] !== undefined),
  );
  return known?.habits ?? (headers['x-stainless-lang'] === undefined ? UNKNOWN : SDK);
}

/** End of a failed stream for a caller. If `event` is demanded, callers that would get no event get both. */
export function streamFailureFor(
  habits: CallerHabits,
  { STREAM_FAILURE: setting }: Pick<Settings, 'STREAM_FAILURE'>,
): StreamFailure {
  switch (setting) {
    case 'auto':
      return habits.streamFailure;
    case 'event':
      return habits.streamFailure === 'cut' ? 'event_and_cut' : habits.streamFailure;
    case 'drop':
      return 'cut';
  }
}

/** Whether a request that leaves `stream` out is answered as a stream. */
export function streamsByDefault(
  headers: Headers,
  { STREAM_DEFAULT: setting }: Pick<Settings, 'STREAM_DEFAULT'>,
): boolean {
  return setting === 'auto'
    ? !habitsOf(headers).namesStream && !acceptsOnlyJson(headers)
    : setting === 'true';
}

function acceptsOnlyJson({ accept }: Headers): boolean {
  const types = String(accept ?? '').toLowerCase();
  return types.includes('application/json') && !types.includes('*/*') && !types.includes('text/event-stream');
}
