import { type ErrorCode } from '../../common/errors/error-catalog.js';
import { type FailureReason } from '../../common/errors/failure-reasons.js';
import { type TraceContext } from './trace-context.js';

/** End of a request. `crashed` is set at the next start for requests cut off by the death of the process. */
export type RequestOutcome =
  'ok' | 'client_error' | 'upstream_error' | 'rate_limited' | 'cancelled' | 'shutdown' | 'crashed';

/** Kind of request, where that is counted: see `@LoggedAs`. */
export type RequestOperation = 'completion';

/** One attempt at the upstream. */
export interface AttemptRecord {
  /** Name of the account; undefined if no session could be leased. */
  readonly account?: string;
  readonly sessionId?: string;
  /** Milliseconds since the request began. */
  readonly startedMs: number;
  readonly durationMs: number;
  /** `running`, `ok`, `cancelled`, `crashed`, or the fault of the upstream, e.g. `stream_idle`. */
  readonly outcome: string;
  /** Message of the failure, for the operator; absent if `LOG_CONTENT` keeps no texts. */
  readonly detail?: string;
  /** Milliseconds for which the account, or one of its models, cools down in consequence; missing if it does not. */
  readonly cooldownMs?: number;
  /** The accounts, and why each was or was not chosen. */
  readonly considered?: readonly ConsideredRecord[];
}

/** One account in the choice for an attempt, or several behind those that are named: at most 50. */
export interface ConsideredRecord {
  readonly account?: string;
  /** Number of accounts that are not named. */
  readonly others?: number;
  /** `chosen`, or the reason against it, e.g. `cooldown`. */
  readonly outcome: string;
}

/**
 * Characters of an input as it goes upstream, by where they are from; parts without any are missing. `rest`: definitions of
 * tools, and what the gateway adds.
 */
export type InputChars = Readonly<
  Partial<Record<'instructions' | 'user' | 'assistant' | 'results' | 'rest', number>>
>;

/** A tool result that was sent upstream condensed. */
export interface CondensedRecord {
  /** Index in the request's `messages`. */
  readonly message: number;
  /** Name of the tool. */
  readonly tool: string;
  /** Rules applied, in order, e.g. `ansi`, `json-array`. */
  readonly rules: readonly string[];
  /** Characters before condensing. */
  readonly before: number;
  /** Characters after condensing. */
  readonly after: number;
  /** Both texts, as far as `LOG_CONTENT` keeps them. */
  readonly content?: { readonly before: string; readonly after: string };
}

/**
 * `echo`: it repeated a tool result. `tool_call`: a call was unreadable, or required and missing.
 * `structured_output`: it was not the JSON that was asked for.
 */
export const CORRECTION_CAUSES = ['echo', 'tool_call', 'structured_output'] as const;

/**
 * `dropped`: connection closed, so that the caller's library retries. `regenerated`: model asked again. `passed`:
 * answer let through. `failed`: request ended with an error.
 */
export const CORRECTION_ACTIONS = ['dropped', 'regenerated', 'passed', 'failed'] as const;

/** A rejected answer. Another prompt followed unless the attempts were used up. */
export interface CorrectionRecord {
  /** Milliseconds since the request began. */
  readonly atMs: number;
  readonly cause: (typeof CORRECTION_CAUSES)[number];
  readonly action: (typeof CORRECTION_ACTIONS)[number];
  /** The fault, in one sentence; absent if `LOG_CONTENT` keeps no texts. */
  readonly detail?: string;
}

/** A tool call of the answer. */
export interface ToolCallRecord {
  readonly id: string;
  readonly name: string;
  /** JSON text, as far as `LOG_CONTENT` keeps it. */
  readonly arguments?: string;
  /** Length of the arguments, if they are kept in part. */
  readonly chars?: number;
  /** Repairs made, e.g. `trailing_comma`; empty for a well-formed call. */
  readonly repairs: readonly string[];
}

/** A message of the conversation as sent by the caller. */
export interface MessageRecord {
  readonly role: string;
  readonly content: string;
  /** Length of the text, if it is kept in part. */
  readonly chars?: number;
  /** Kinds of the parts that are no text, which are not kept; missing without any. */
  readonly media?: readonly string[];
  /** Tool calls; only on messages of the assistant. */
  readonly toolCalls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly arguments: string;
    /** Length of the arguments, if they are kept in part. */
    readonly chars?: number;
  }[];
  /** Id of the answered call; only on messages of a tool. */
  readonly toolCallId?: string;
}

/** Texts of a request, each whole or shortened by `LOG_CONTENT`; the whole record is absent with `none`. */
export interface ContentRecord {
  readonly messages: readonly MessageRecord[];
  /** Number of messages left out in the middle of a preview. */
  readonly omittedMessages?: number;
  readonly reasoning: string;
  /** Length of the reasoning, if it is kept in part. */
  readonly reasoningChars?: number;
  readonly answer: string;
  /** Length of the answer, if it is kept in part. */
  readonly answerChars?: number;
  /** Names of the tools that the caller offered. */
  readonly toolNames?: readonly string[];
  /** Parameters with texts, in wire form: `tools`, `stop`, `response_format`. Kept whole or not at all. */
  readonly texts?: Readonly<Record<string, unknown>>;
}

/** The body of a request that was refused before it was processed. */
export interface SentBody {
  /** The JSON that was read, or the bytes that could not be read as JSON; only the beginning if it is cut. */
  readonly text: string;
  readonly isCut?: true;
  /** Length of the body, if the caller announced it. */
  readonly bytes?: number;
}

/** Why a request failed. */
export interface RequestError {
  readonly code: ErrorCode;
  /** Reason of the failure, from the closed list of `failure-reasons.ts`. */
  readonly reason: FailureReason;
  /** As sent to the caller; absent if it speaks of the answer and `LOG_CONTENT` keeps no texts. */
  readonly message?: string;
  /** Messages of its causes, for the operator; absent if `LOG_CONTENT` keeps no texts. */
  readonly cause?: string;
}

/** The log entry of one API call. Built from these named fields only, so that no header or secret can slip in. */
export interface RequestLogEntry {
  readonly kind: 'request';
  /** The `x-request-id` of the response. */
  readonly id: string;
  /** Name of the gateway that served it, where several have one log. */
  readonly node?: string;
  /** Unix time in milliseconds. */
  readonly startedAt: number;
  readonly method: string;
  readonly path: string;
  /** Missing for calls that are logged but not counted. */
  readonly operation?: RequestOperation;
  /** Set if the caller had no valid key, or an address or page that is not allowed: see `StrangerLog`. */
  readonly isStranger?: true;
  /** Name of the caller's key; missing while the gateway has none. */
  readonly key?: string;
  /** `pending` until the request has ended. */
  readonly outcome: RequestOutcome | 'pending';
  /** HTTP status sent to the caller; undefined if nothing was sent. */
  readonly status?: number;
  /** Milliseconds from the beginning to the end; undefined while it is pending. */
  readonly totalMs?: number;
  readonly model?: string;
  readonly stream?: boolean;
  /** Parameters in wire form, defaults filled in, e.g. `max_tokens`; those with texts are in `content`. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Beginning of what the user wrote last, in one line; absent if `LOG_CONTENT` keeps no texts. */
  readonly excerpt?: string;
  /** Id that the turns of one conversation share; unknown until its first answer, absent if `LOG_CONTENT` keeps no texts. */
  readonly conversation?: string;
  /** Place among the turns, from 1; set with `conversation`. */
  readonly turn?: number;
  readonly account?: string;
  readonly sessionId?: string;
  /** Milliseconds until the body was read, which may wait for the caller or for memory; unset for refused requests. */
  readonly receivedMs?: number;
  /** Milliseconds until the gateway had done its own work on the request: counted, condensed, checked against limits. */
  readonly preparedMs?: number;
  /** Milliseconds spent waiting for sessions, over all attempts. */
  readonly queuedMs?: number;
  /** Milliseconds until the upstream accepted the prompt. */
  readonly acceptedMs?: number;
  /** Milliseconds until the upstream began to answer. */
  readonly firstAnswerMs?: number;
  readonly attempts?: readonly AttemptRecord[];
  /** The accounts and the reason against each; only on requests that ended without a session. */
  readonly considered?: readonly ConsideredRecord[];
  readonly inputChars?: InputChars;
  readonly usage?: TokenCounts;
  readonly finishReason?: string;
  readonly error?: RequestError;
  /** See `clientName`. */
  readonly client?: string;
  /** Milliseconds until the first piece of the answer was sent to the caller. */
  readonly firstTokenMs?: number;
  readonly condensed?: readonly CondensedRecord[];
  readonly corrections?: readonly CorrectionRecord[];
  readonly toolCalls?: readonly ToolCallRecord[];
  /** Other remarks on the answer, one sentence each, e.g. that an invented tool result was cut off. */
  readonly notes?: readonly string[];
  /** A tool call repeated from the preceding turns, and the number of times in a row. */
  readonly repeatedCall?: { readonly name: string; readonly times: number };
  readonly content?: ContentRecord;
  /** Only on refused requests; absent if `LOG_CONTENT` keeps no texts. */
  readonly sent?: SentBody;
  /** Place in a distributed trace, if the caller named one or traces are exported. */
  readonly trace?: TraceContext;
  /** Set if what the upstream sent is kept, so that the request can be run again without it. */
  readonly isRecorded?: true;
}

export interface TokenCounts {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly reasoningTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens?: number;
}

/** Details that are added to an entry after it was opened. */
export type RequestDetails = Partial<
  Omit<RequestLogEntry, 'kind' | 'id' | 'startedAt' | 'operation' | 'key' | 'outcome' | 'totalMs'>
>;
