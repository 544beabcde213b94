import { type Model } from '../../models/model.js';
import { type SamplingParams } from '../../upstream/upstream-driver.js';
import { type ChatMessage } from './chat-message.js';
import { type ToolChoice, type ToolDefinition } from './tool-definition.js';

/** A request after validation, with all defaults filled in. Recordings keep it: what is renamed, those of before lack. */
export interface CompletionRequest {
  readonly model: Model;
  readonly messages: readonly ChatMessage[];
  /** Whether the answer is streamed as server-sent events. */
  readonly stream: boolean;
  /** Whether the model is asked to reason. */
  readonly thinking: boolean;
  readonly params: SamplingParams;
  /** Whether `params.maxTokens` is the gateway's default, since the request named none. */
  readonly isLimitDefault?: boolean;
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice: ToolChoice;
  /** Beginning of the ids that the gateway gives to calls; `call_` by default. */
  readonly callIdPrefix?: string;
  /** Whether the answer may hold more than one tool call. */
  readonly parallelToolCalls: boolean;
  readonly responseFormat: ResponseFormat;
  readonly fieldNames: FieldNames;
  /**
   * Whether the caller is told which stop sequence ended the answer. Then the gateway alone looks for them, since
   * upstreams do not say.
   */
  readonly tellsStopSequence?: boolean;
  /** Whether the oldest messages may be left out where the conversation is too long. */
  readonly truncates?: boolean;
  /** Types of tools, or fields with some, that a provider would run itself, and that the model is not told of. */
  readonly unsupportedTools?: readonly string[];
  /** Types of items of the conversation that the gateway does not know, and the model is not told of. */
  readonly unknownItems?: readonly string[];
  /** Fields of the request that have no effect here, though a caller may count on them. */
  readonly ignoredFields?: readonly string[];
}

/** The caller's names of fields that only answering finds unusable. */
export interface FieldNames {
  readonly messages: string;
  /** Of the schema in `responseFormat`. */
  readonly schema: string;
  /** Names of the fields that the caller has sent, by their names in the chat format. */
  readonly sent?: Readonly<Record<string, string>>;
}

export const CHAT_FIELD_NAMES: FieldNames = {
  messages: 'messages',
  schema: 'response_format.json_schema.schema',
};

export type ResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | { readonly type: 'json_schema'; readonly json_schema: JsonSchemaFormat };

/** `json_schema` on the wire. Other members, such as `name`, are kept for upstreams that know the format. */
export interface JsonSchemaFormat {
  readonly schema: object;
  /** Whether an answer that does not conform is an error; default: no. */
  readonly strict?: unknown;
}
