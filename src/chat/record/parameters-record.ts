import { type LogContent } from '../../logs/records/log-content.js';
import { type CompletionRequest } from '../interfaces/completion-request.js';

type WireFields = Readonly<Record<string, unknown>>;

/** Values of `reasoning_effort`, `verbosity` and `service_tier`. */
const FORMAT_WORDS: ReadonlySet<string> = new Set([
  ...['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
  ...['auto', 'default', 'flex', 'priority'],
]);

/** Parameters of a request in wire form that hold no texts, defaults filled in. */
export function parametersRecord(request: CompletionRequest): WireFields {
  const { params, tools } = request;
  const { temperature, topP, maxTokens, seed, further = {} } = params;
  return {
    max_tokens: maxTokens,
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(seed !== undefined && { seed }),
    ...Object.fromEntries(Object.entries(further).filter(([, value]) => !isText(value))),
    ...(request.model.thinking && !request.thinking && { reasoning_effort: 'none' }),
    ...(tools.length > 0 && {
      tool_choice: request.toolChoice,
      parallel_tool_calls: request.parallelToolCalls,
    }),
  };
}

/** Parameters in wire form that hold texts: whole, or none, since a part of a schema would repeat another request. */
export function textParameters(
  { params, tools, responseFormat }: CompletionRequest,
  mode: LogContent,
): WireFields {
  if (mode !== 'full') {
    return {};
  }
  return {
    ...params.further,
    ...(tools.length > 0 && { tools }),
    ...(params.stop.length > 0 && { stop: params.stop }),
    ...(responseFormat.type !== 'text' && { response_format: responseFormat }),
  };
}

/** Anything but a number, a switch or a word of the formats may hold words of the caller. */
function isText(value: unknown): boolean {
  return typeof value === 'string' ? !FORMAT_WORDS.has(value) : !['number', 'boolean'].includes(typeof value);
}
