import { isStructure } from '../../common/text/json-object.js';
import { tokenCount } from '../token-count.js';
import { UnavailableError } from '../upstream.errors.js';
import { type FinishReason, type TokenUsage } from '../upstream-driver.js';

/**
 * The finish reason in upstream terms, `stop` for one that is not known.
 * @throws UnavailableError for reasons that mean a broken answer
 */
export function toFinishReason(reason: string): FinishReason {
  switch (reason.replace(/:.*/s, '')) {
    case 'length':
    case 'max_tokens':
    case 'model_length':
    case 'model_context_window_exceeded':
      return 'length';
    case 'tool_calls':
    case 'function_call':
      return 'tool_calls';
    case 'content_filter':
    case 'sensitive':
      return 'content_filter';
    case 'error':
    case 'abort':
    case 'insufficient_system_resource':
    case 'network_error':
    case 'function_call_filter':
      throw new UnavailableError('upstream_error', 'The upstream gave up on its answer.');
    default:
      return 'stop';
  }
}

/**
 * Usage whose two totals are counts; otherwise none, and the gateway counts itself. Where reasoning is no part of
 * `completion_tokens`, as with xAI and Gemini, it is a part of `total_tokens`.
 */
export function toTokenUsage(usage: Readonly<Record<string, unknown>>): TokenUsage | undefined {
  const promptTokens = tokenCount(usage.prompt_tokens);
  const completionTokens = tokenCount(usage.completion_tokens);
  if (promptTokens === undefined || completionTokens === undefined) {
    return undefined;
  }
  const total = tokenCount(usage.total_tokens) ?? 0;
  const output = isStructure(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  const input = isStructure(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const written = tokenCount(input.cache_write_tokens);
  return {
    promptTokens,
    completionTokens: Math.max(completionTokens, total - promptTokens),
    reasoningTokens: tokenCount(output.reasoning_tokens) ?? 0,
    cachedTokens: tokenCount(input.cached_tokens) ?? 0,
    ...(written !== undefined && { cacheWriteTokens: written }),
  };
}
