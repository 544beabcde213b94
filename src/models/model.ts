/** A model of the catalogue. */
export interface Model {
  readonly id: string;
  /** Context window in tokens. */
  readonly contextWindow: number;
  /** Limit of one answer in tokens. */
  readonly maxOutputTokens: number;
  /** Whether answers contain reasoning. */
  readonly thinking: boolean;
  /** Name of the model at the upstream. */
  readonly upstreamModel: string;
}

/** A model on the wire. */
export interface ModelObject {
  readonly id: string;
  readonly object: 'model';
  /** Unix seconds. */
  readonly created: number;
  readonly owned_by: string;
  readonly context_window: number;
  readonly max_output_tokens: number;
  readonly modalities: readonly ['text'];
}

/** 2025-01-01. The models have no date of their own; a fixed one keeps the listing stable across restarts. */
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
