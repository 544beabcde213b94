import { type Modality } from '../common/config/model-table.js';

/** A model of the catalogue. */
export interface Model {
  readonly id: string;
  /** Context window in tokens. */
  readonly contextWindow: number;
  /** Whether the context window is only assumed. */
  readonly isWindowAssumed?: boolean | undefined;
  /** Tokens above which a prompt is refused without asking the upstream; the context window if undefined. */
  readonly promptLimit?: number | undefined;
  /** Limit of one answer in tokens. */
  readonly maxOutputTokens: number;
  /** Whether the limit is only assumed. */
  readonly isOutputAssumed?: boolean | undefined;
  /** Most tokens that a request may ask for if the limit is assumed; `maxOutputTokens` if undefined. */
  readonly answerLimit?: number | undefined;
  /** Whether answers contain reasoning. */
  readonly thinking: boolean;
  /** Name of the model at the upstream. */
  readonly upstreamModel: string;
  /** Kinds of input; undefined if unknown, so that the upstream decides. */
  readonly modalities?: readonly Modality[] | undefined;
  /** Images that one prompt carries, each with its data; undefined if the upstream decides. */
  readonly imageLimit?: number | undefined;
}

/** Finds a model by its id or one of its aliases; throws ModelNotFoundError. */
export type FindModel = (name: string) => Model;

/** A model on the wire. */
export interface ModelObject {
  readonly id: string;
  readonly object: 'model';
  /** Unix seconds. */
  readonly created: number;
  readonly owned_by: string;
  readonly context_window: number;
  /** The same for clients of OpenRouter, and the next one for those of vLLM; missing if it is only assumed. */
  readonly context_length?: number;
  readonly max_model_len?: number;
  readonly max_output_tokens: number;
  readonly modalities: readonly Modality[];
}

/** The models have no date of their own; a fixed one keeps the listing stable across restarts. */
export const CREATED_AT = '2025-01-01T00:00:00Z';
const CREATED = Date.parse(CREATED_AT) / 1000;

/** What is sure of any model, and what the contract lists. */
export const TEXT_INPUT: readonly Modality[] = ['text'];
export const TEXT_AND_IMAGES: readonly Modality[] = ['text', 'image'];

export function toModelObject(model: Model): ModelObject {
  const { contextWindow: window, isWindowAssumed } = model;
  return {
    id: model.id,
    object: 'model',
    created: CREATED,
    owned_by: 'chat-completion-gateway',
    context_window: window,
    ...(!isWindowAssumed && { context_length: window, max_model_len: window }),
    max_output_tokens: model.maxOutputTokens,
    modalities: model.modalities ?? TEXT_INPUT,
  };
}

/** A model on the wire of the Messages format. */
export interface ModelInfo {
  readonly type: 'model';
  readonly id: string;
  readonly display_name: string;
  /** RFC 3339. */
  readonly created_at: string;
  readonly max_input_tokens: number;
  readonly max_tokens: number;
  readonly lifecycle: 'active';
  readonly capabilities: null;
  readonly line: null;
  readonly deprecated_at: null;
  readonly retires_at: null;
}

export function toModelInfo({ id, contextWindow, maxOutputTokens }: Model): ModelInfo {
  return {
    type: 'model',
    id,
    display_name: id,
    created_at: CREATED_AT,
    max_input_tokens: contextWindow,
    max_tokens: maxOutputTokens,
    lifecycle: 'active',
    capabilities: null,
    line: null,
    deprecated_at: null,
    retires_at: null,
  };
}

/** A model on the wire of the Gemini API. */
export interface GeminiModel {
  /** With the kind of resource in front. */
  readonly name: string;
  readonly version: string;
  readonly displayName: string;
  readonly inputTokenLimit: number;
  readonly outputTokenLimit: number;
  readonly supportedGenerationMethods: readonly string[];
  readonly thinking: boolean;
}

/** The kind of resource, which Gemini has in the ids of its models, too. */
export const MODEL_KIND = 'models/';

export function toGeminiModel({ id, contextWindow, maxOutputTokens, thinking }: Model): GeminiModel {
  return {
    name: id.startsWith(MODEL_KIND) ? id : MODEL_KIND + id,
    version: '1',
    displayName: id,
    inputTokenLimit: contextWindow,
    outputTokenLimit: maxOutputTokens,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
    thinking,
  };
}
