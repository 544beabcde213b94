import { ContextWindowExceededError } from '../../common/errors/gateway.errors.js';
import { type Model } from '../../models/model.js';
import { type Tokenizer } from '../completion/tokens/tokenizer.js';

/**
 * Refuses a prompt that exceeds the model's context window. Most prompts pass without being tokenized.
 * @throws ContextWindowExceededError
 */
export async function checkContext(
  text: string,
  model: Model,
  tokenizer: Tokenizer,
  signal: AbortSignal,
): Promise<void> {
  const { promptLimit = model.contextWindow } = model;
  if (mostTokens(text) <= promptLimit) {
    return;
  }
  const tokens = await tokenizer.count(text, signal, promptLimit);
  if (tokens > promptLimit) {
    throw new ContextWindowExceededError(model.id, model.contextWindow, tokens);
  }
}

/** A bound of a text's tokens that costs next to nothing: each has at least one byte. */
export function mostTokens(text: string): number {
  return Buffer.byteLength(text);
}
