import { type Settings } from '../../common/config/settings.js';
import { type NativeTools, type Prompt, type UpstreamRequest } from '../../upstream/upstream-driver.js';
import { type CompletionRequest } from '../interfaces/completion-request.js';

/** What the driver gets of a request. */
export function toUpstreamRequest(
  request: CompletionRequest,
  prompt: Prompt,
  tools: NativeTools | undefined,
): UpstreamRequest {
  const { responseFormat } = request;
  return {
    prompt,
    model: request.model.upstreamModel,
    thinking: request.thinking,
    params: request.params,
    ...(tools ? { tools } : {}),
    ...(responseFormat.type === 'text' ? {} : { responseFormat }),
  };
}

/** The tools as they are, for upstreams that call them themselves. */
export function nativeTools(
  { tools, toolChoice, parallelToolCalls }: CompletionRequest,
  { PROVIDER, TOOL_MODE }: Settings,
): NativeTools | undefined {
  const mode = TOOL_MODE ?? (PROVIDER === 'openai' ? 'native' : 'emulated');
  return mode === 'native' && tools.length > 0
    ? { definitions: tools, choice: toolChoice, parallel: parallelToolCalls }
    : undefined;
}
