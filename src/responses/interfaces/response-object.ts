/** State of one output item. */
export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

export interface OutputTextPart {
  readonly type: 'output_text';
  readonly text: string;
  readonly annotations: readonly [];
  readonly logprobs: readonly [];
}

export interface OutputRefusalPart {
  readonly type: 'refusal';
  readonly refusal: string;
}

export interface MessageItem {
  readonly id: string;
  readonly type: 'message';
  readonly status: ItemStatus;
  readonly role: 'assistant';
  readonly content: readonly (OutputTextPart | OutputRefusalPart)[];
}

export interface ReasoningItem {
  readonly id: string;
  readonly type: 'reasoning';
  readonly status: ItemStatus;
  readonly summary: readonly { readonly type: 'summary_text'; readonly text: string }[];
  readonly content?: readonly { readonly type: 'reasoning_text'; readonly text: string }[];
  readonly encrypted_content?: string;
}

/** In which members of its item reasoning goes out. */
export interface ReasoningForm {
  /** Whether it is shown as a summary: most clients of the format know only that. */
  readonly asSummary: boolean;
  /** Whether `encrypted_content` carries it: all that clients give back of a response that is not stored. */
  readonly carriesReasoning?: boolean;
}

export interface FunctionCallItem {
  readonly id: string;
  readonly type: 'function_call';
  readonly status: ItemStatus;
  readonly call_id: string;
  readonly name: string;
  readonly namespace?: string;
  /** Text of a JSON object. */
  readonly arguments: string;
}

export interface CustomToolCallItem {
  readonly id: string;
  readonly type: 'custom_tool_call';
  readonly status: ItemStatus;
  readonly call_id: string;
  readonly name: string;
  readonly namespace?: string;
  /** The model's input for the tool, verbatim. */
  readonly input: string;
}

/** A search for tools, which the caller runs. */
export interface ToolSearchCallItem {
  readonly id: string;
  readonly type: 'tool_search_call';
  readonly status: ItemStatus;
  readonly call_id: string;
  readonly execution: 'client';
  readonly arguments: object;
}

/** A call of a built-in tool that the caller runs, with what to do as `action` or `operation`. */
export interface BuiltInCallItem {
  readonly id: string;
  readonly type: 'apply_patch_call' | 'local_shell_call' | 'shell_call';
  readonly status: ItemStatus;
  readonly call_id: string;
}

export type CallItem = FunctionCallItem | CustomToolCallItem | ToolSearchCallItem | BuiltInCallItem;

/** Summary of the conversation, which takes the place of all of it but what the user has said. */
export interface CompactionItem {
  readonly id: string;
  readonly type: 'compaction';
  readonly encrypted_content: string;
}

export type OutputItem = MessageItem | ReasoningItem | CallItem | CompactionItem;

export type ResponseStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';

/** Whether a response is still being made, or waits for that. */
export function isUnderWay(status: ResponseStatus): boolean {
  return status === 'queued' || status === 'in_progress';
}

/** `usage` of a response, in tokens. */
export interface ResponseUsage {
  readonly input_tokens: number;
  readonly input_tokens_details: { readonly cached_tokens: number; readonly cache_write_tokens: number };
  readonly output_tokens: number;
  readonly output_tokens_details: { readonly reasoning_tokens: number };
  readonly total_tokens: number;
}

/** Why an answer is less than whole. */
export type IncompleteReason = 'max_output_tokens' | 'content_filter';

/** Fields of the request that a response repeats, defaults filled in. */
export type RepeatedFields = Readonly<Record<string, unknown>>;

/** A response on the wire, with the fields of its request that it repeats. */
export interface ResponseObject extends RepeatedFields {
  /** `resp_` with the digits of the request's id. */
  readonly id: string;
  readonly object: 'response';
  /** Unix time in seconds. */
  readonly created_at: number;
  /** The same of its end, of a response that is whole. */
  readonly completed_at: number | null;
  readonly status: ResponseStatus;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly incomplete_details: { readonly reason: IncompleteReason } | null;
  readonly output: readonly OutputItem[];
  readonly usage: ResponseUsage | null;
}
