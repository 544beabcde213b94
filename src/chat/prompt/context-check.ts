import { ContextWindowExceededError } from '../../common/errors/gateway.errors.js';
import { type Model } from '../../models/model.js';
import { type Tokenizer } from '../completion/tokens/tokenizer.js';

/**
 * Refuses a prompt that does not fit the model. A token is at least one byte, so most prompts are let through
 * without being counted.
 * @throws ContextWindowExceededError
 */
export async function checkContext(
  text: string,
  model: Model,
  tokenizer: Tokenizer,
  signal: AbortSignal,
): Promise<void> {
  if (Buffer.byteLength(text) <= model.contextWindow) {
    return;
  }
  const tokens = await tokenizer.count(text, signal, model.contextWindow);
  if (tokens > model.contextWindow) {
    throw new ContextWindowExceededError(model.id, model.contextWindow, tokens);
  }
}
