import { type Settings } from '../../common/config/settings.js';
import { isApi } from '../../common/config/upstream-kind.js';
import { type NativeTools, type Prompt, type UpstreamRequest } from '../../upstream/upstream-driver.js';
import { type CompletionRequest } from '../interfaces/completion-request.js';
import { type PromptTools } from './conversation-prompt.js';

/** The request for the driver. */
export function toUpstreamRequest(
  request: CompletionRequest,
  prompt: Prompt,
  tools: NativeTools | undefined,
): UpstreamRequest {
  const { responseFormat, params, model, thinking } = request;
  const isLimitAssumed = model.isOutputAssumed && params.maxTokens === model.maxOutputTokens;
  return {
    prompt,
    model: model.upstreamModel,
    thinking,
    params: {
      ...params,
      ...(request.tellsStopSequence && { stop: [] }),
      ...(isLimitAssumed && { isLimitAssumed }),
    },
    ...(tools && { tools }),
    ...(responseFormat.type !== 'text' && { responseFormat }),
  };
}

/** The tools of a request, for whoever is to describe them to the model. */
export function promptTools(request: CompletionRequest, settings: Settings): PromptTools {
  const { tools, toolChoice, parallelToolCalls } = request;
  const offer = { definitions: tools, choice: toolChoice, parallel: parallelToolCalls };
  if (toolMode(settings) === 'emulated') {
    return { offer };
  }
  return tools.length > 0 ? { native: offer } : {};
}

function toolMode(settings: Settings): NonNullable<Settings['TOOL_MODE']> {
  return settings.TOOL_MODE ?? (isApi(settings) ? 'native' : 'emulated');
}
