import { type Model } from '../../models/model.js';
import { type SamplingParams } from '../../upstream/upstream-driver.js';
import { type ChatMessage } from './chat-message.js';
import { type ToolChoice, type ToolDefinition } from './tool-definition.js';

/** A request after validation, with all defaults filled in. */
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
  /** Whether the answer may hold more than one tool call. */
  readonly parallelToolCalls: boolean;
  readonly responseFormat: ResponseFormat;
}

export type ResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | { readonly type: 'json_schema'; readonly json_schema: JsonSchemaFormat };

/** `json_schema` on the wire. Other members, such as `name` and `strict`, are kept for upstreams that know the format. */
export interface JsonSchemaFormat {
  readonly schema: object;
}
