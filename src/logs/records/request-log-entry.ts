import { type ErrorCode } from '../../common/errors/error-catalog.js';

/** How a request ended. `crashed` is given at the next start to one that the death of the process cut off. */
export type RequestOutcome =
  'ok' | 'client_error' | 'upstream_error' | 'rate_limited' | 'cancelled' | 'shutdown' | 'crashed';

/** What a request asks for, where that is counted: see `@LoggedAs`. */
export type RequestOperation = 'completion';

/** One try at the upstream. Times are milliseconds since the request began. */
export interface AttemptRecord {
  /** Name of the account; missing if no session could be had. */
  readonly account?: string;
  readonly sessionId?: string;
  readonly startedMs: number;
  readonly durationMs: number;
  /** `running`, `ok`, `cancelled`, `crashed` with the request, or the short word of the failure, e.g. `rate_limited`. */
  readonly outcome: string;
  /** What the failure says, in words for the operator. */
  readonly detail?: string;
  /** Every account, and why it was or was not taken. */
  readonly considered?: readonly ConsideredRecord[];
}

/** An account that could have served, and why it was or was not taken. */
export interface ConsideredRecord {
  readonly account: string;
  readonly outcome: string;
}

/** A tool result that went upstream in a shorter form. */
export interface CondensedRecord {
  /** Index in the request's `messages`. */
  readonly message: number;
  /** Name of the tool that the result belongs to. */
  readonly tool: string;
  /** The rules that applied, in order, e.g. `ansi`, `json-array`. */
  readonly rules: readonly string[];
  /** Characters before and after. */
  readonly before: number;
  readonly after: number;
  /** Both texts, by `LOG_CONTENT`. */
  readonly content?: { readonly before: string; readonly after: string };
}

/** An answer that was given up, and why; another prompt followed, or none if the tries were used up. */
export interface CorrectionRecord {
  /** Milliseconds since the request began. */
  readonly atMs: number;
  /** `echo`: it repeated a tool result. `tool_call`: its call could not be read, or a call was demanded and missing. */
  readonly cause: 'echo' | 'tool_call';
  /**
   * `dropped`: the connection, for the caller's library to retry. `regenerated`: the model was asked again. `passed`:
   * the answer was let through. `failed`: the request ended with an error.
   */
  readonly action: 'dropped' | 'regenerated' | 'passed' | 'failed';
  /** What was wrong, in one sentence. */
  readonly detail: string;
}

/** A tool call of the answer. */
export interface ToolCallRecord {
  readonly id: string;
  readonly name: string;
  /** JSON text, by `LOG_CONTENT`. */
  readonly arguments?: string;
  /** What was mended, e.g. `trailing_comma`; empty for a call that came well-formed. */
  readonly repairs: readonly string[];
}

/** A message of the conversation as the caller sent it. */
export interface MessageRecord {
  readonly role: string;
  readonly content: string;
  /** Of an assistant message. */
  readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  /** Of a tool message. */
  readonly toolCallId?: string;
}

/** The texts of a request, by `LOG_CONTENT`: absent, each text shortened, or whole. */
export interface ContentRecord {
  readonly messages: readonly MessageRecord[];
  /** Messages in the middle that are left out of a preview. */
  readonly omittedMessages?: number;
  readonly reasoning: string;
  readonly answer: string;
}

/** Everything known of one API call. Built from these fields only, so that no header or secret can slip in. */
export interface RequestLogEntry {
  readonly kind: 'request';
  /** The `x-request-id` of the response. */
  readonly id: string;
  /** Unix time in milliseconds. */
  readonly startedAt: number;
  readonly method: string;
  readonly path: string;
  /** Missing for calls that are logged but not counted. */
  readonly operation?: RequestOperation;
  /** `pending` until the end of the request. */
  readonly outcome: RequestOutcome | 'pending';
  /** HTTP status as the caller saw it; undefined if nothing was sent. */
  readonly status?: number;
  readonly totalMs?: number;
  readonly model?: string;
  readonly stream?: boolean;
  readonly account?: string;
  readonly sessionId?: string;
  /** Milliseconds spent waiting for a session. */
  readonly queuedMs?: number;
  /** Milliseconds until the upstream took the prompt, and until its answer began. */
  readonly acceptedMs?: number;
  readonly firstAnswerMs?: number;
  readonly attempts?: readonly AttemptRecord[];
  /** Of a request that ended without a session: every account, and what stood in its way. */
  readonly considered?: readonly ConsideredRecord[];
  readonly usage?: TokenCounts;
  readonly finishReason?: string;
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly cause?: string };
  /** Name of the caller's client, from its user agent, e.g. `openai-js`. */
  readonly client?: string;
  /** Milliseconds until the first piece of the answer went to the caller. */
  readonly firstTokenMs?: number;
  readonly condensed?: readonly CondensedRecord[];
  readonly corrections?: readonly CorrectionRecord[];
  readonly toolCalls?: readonly ToolCallRecord[];
  /** What else happened to the answer, one sentence each, e.g. that an invented tool result was cut off. */
  readonly notes?: readonly string[];
  /** The same call as in the turns right before, and how often it has been made in a row. */
  readonly repeatedCall?: { readonly name: string; readonly times: number };
  readonly content?: ContentRecord;
}

export interface TokenCounts {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly reasoningTokens: number;
  readonly cachedTokens: number;
}
