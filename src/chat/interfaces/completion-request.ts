import { type Model } from '../../models/model.js';
import { type SamplingParams } from '../../upstream/upstream-driver.js';
import { type ChatMessage } from './chat-message.js';
import { type ToolChoice, type ToolDefinition } from './tool-definition.js';

/** A request after validation, with every default filled in. */
export interface CompletionRequest {
  readonly model: Model;
  readonly messages: readonly ChatMessage[];
  readonly stream: boolean;
  readonly thinking: boolean;
  readonly params: SamplingParams;
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice: ToolChoice;
  readonly parallelToolCalls: boolean;
  readonly responseFormat: ResponseFormat;
}

export type ResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | { readonly type: 'json_schema'; readonly json_schema: JsonSchemaFormat };

/** As on the wire; other members, such as `name` and `strict`, are for upstreams that know the format. */
export interface JsonSchemaFormat {
  readonly schema: object;
}
