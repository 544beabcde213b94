import { ContextWindowExceededError } from '../../common/errors/gateway.errors.js';
import { type Tokenizer } from '../completion/tokens/tokenizer.js';
import { type CompletionRequest } from '../interfaces/completion-request.js';

/**
 * Refuses a prompt that exceeds the model's context window. Most prompts pass without being tokenized.
 * @throws ContextWindowExceededError
 */
export async function checkContext(
  text: string,
  { model, fieldNames }: Pick<CompletionRequest, 'model' | 'fieldNames'>,
  tokenizer: Tokenizer,
  signal: AbortSignal,
): Promise<void> {
  const { promptLimit = model.contextWindow } = model;
  if (mostTokens(text) <= promptLimit) {
    return;
  }
  const tokens = await tokenizer.count(text, signal, promptLimit);
  if (tokens > promptLimit) {
    throw new ContextWindowExceededError(model.id, model.contextWindow, tokens, fieldNames.messages);
  }
}

/** A bound of a text's tokens that costs next to nothing: each has at least one byte. */
export function mostTokens(text: string): number {
  return Buffer.byteLength(text);
}
