import { type Settings } from '../../common/config/settings.js';
import { isApi } from '../../common/config/upstream-kind.js';
import { type NativeTools, type Prompt, type UpstreamRequest } from '../../upstream/upstream-driver.js';
import { type CompletionRequest } from '../interfaces/completion-request.js';
import { type ToolOffer } from '../tools/contract/tool-offer.js';

/** The request for the driver. */
export function toUpstreamRequest(
  request: CompletionRequest,
  prompt: Prompt,
  tools: NativeTools | undefined,
): UpstreamRequest {
  const { responseFormat, params, model } = request;
  const isLimitAssumed = model.isOutputAssumed && params.maxTokens === model.maxOutputTokens;
  return {
    prompt,
    model: request.model.upstreamModel,
    thinking: request.thinking,
    params: {
      ...params,
      ...(request.tellsStopSequence && { stop: [] }),
      ...(isLimitAssumed && { isLimitAssumed }),
    },
    ...(tools ? { tools } : {}),
    ...(responseFormat.type === 'text' ? {} : { responseFormat }),
  };
}

/** The tools for an upstream that calls tools itself; undefined in the other mode or without tools. */
export function nativeTools(request: CompletionRequest, settings: Settings): NativeTools | undefined {
  const { tools, toolChoice, parallelToolCalls } = request;
  return toolMode(settings) === 'native' && tools.length > 0
    ? { definitions: tools, choice: toolChoice, parallel: parallelToolCalls }
    : undefined;
}

/** The tools whose calls are asked for and read as text, possibly none; undefined if the upstream calls tools itself. */
export function emulatedTools(request: CompletionRequest, settings: Settings): ToolOffer | undefined {
  const { tools, toolChoice, parallelToolCalls } = request;
  return toolMode(settings) === 'emulated'
    ? { definitions: tools, choice: toolChoice, parallel: parallelToolCalls }
    : undefined;
}

function toolMode(settings: Settings): NonNullable<Settings['TOOL_MODE']> {
  return settings.TOOL_MODE ?? (isApi(settings) ? 'native' : 'emulated');
}
