import { type UpstreamRequest } from '../../upstream-driver.js';

/** A request as far as its optional fields are concerned. */
export type OptionalParts = Pick<
  UpstreamRequest,
  'model' | 'thinking' | 'params' | 'tools' | 'responseFormat'
>;

/** Stop sequences that the format allows; the gateway itself stops at any further one. */
const MAX_STOPS = 4;

/**
 * Fields of a body that a server may refuse and do without; undefined for those that are not sent. Without thinking the
 * body asks for none in the two ways that servers understand (`reasoning_effort: none` for Ollama and vendors, and for
 * vLLM, SGLang and llama.cpp the switches of chat templates: `enable_thinking` of Qwen and GLM, `thinking` of DeepSeek
 * and Kimi); otherwise the model's own default or the caller's switch holds.
 */
export function optionalFields({
  params,
  thinking,
  tools,
  responseFormat,
}: OptionalParts): Record<string, unknown> {
  const fields: Record<string, unknown> = {
    ...params.further,
    stream_options: { include_usage: true },
    temperature: params.temperature,
    top_p: params.topP,
    // Many servers refuse a prompt that leaves less room than this; without the field they give what is left.
    max_tokens: params.isLimitAssumed ? undefined : params.maxTokens,
    stop: params.stop.length > 0 ? params.stop.slice(0, MAX_STOPS) : undefined,
    seed: params.seed,
    response_format: responseFormat,
  };
  if (!thinking) {
    fields.reasoning_effort = 'none';
    const asked = params.further?.chat_template_kwargs as object | undefined;
    fields.chat_template_kwargs = { ...asked, enable_thinking: false, thinking: false };
  }
  if (tools && tools.definitions.length > 0) {
    fields.tool_choice = tools.choice;
    // Several servers refuse the field or know no other value than true, so it is sent only where it says something.
    fields.parallel_tool_calls = tools.parallel ? undefined : false;
  }
  return fields;
}
