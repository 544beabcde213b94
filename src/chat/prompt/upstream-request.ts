import { type Prompt, type UpstreamRequest } from '../../upstream/upstream-driver.js';
import { type CompletionRequest } from '../interfaces/completion-request.js';

/** What the driver gets of a request. */
export function toUpstreamRequest(request: CompletionRequest, prompt: Prompt): UpstreamRequest {
  return {
    prompt,
    model: request.model.upstreamModel,
    thinking: request.thinking,
    params: request.params,
  };
}
