/** A model as the gateway knows it. */
export interface Model {
  readonly id: string;
  /** Tokens of input context. */
  readonly contextWindow: number;
  /** Most tokens of one answer. */
  readonly maxOutputTokens: number;
  /** Whether answers carry a reasoning block. */
  readonly thinking: boolean;
  /** The model's name at the upstream. */
  readonly upstreamModel: string;
}

/** Element of the model list on the wire. */
export interface ModelObject {
  readonly id: string;
  readonly object: 'model';
  readonly created: number;
  readonly owned_by: string;
  readonly context_window: number;
  readonly max_output_tokens: number;
  readonly modalities: readonly ['text'];
}

/** The models have no birthday of their own; a fixed one keeps listings the same over restarts. 2025-01-01. */
const CREATED = 1_735_689_600;

export function toModelObject(model: Model): ModelObject {
  return {
    id: model.id,
    object: 'model',
    created: CREATED,
    owned_by: 'chat-completion-gateway',
    context_window: model.contextWindow,
    max_output_tokens: model.maxOutputTokens,
    modalities: ['text'],
  };
}
