import { isAbsent, isJsonObject } from './wire-values.js';

/**
 * Fields of the format, and of its widespread servers, that the gateway does not check. An OpenAI-format upstream gets
 * those of `PASSED_ON` as they are. `logprobs` and `web_search_options` are no part, since the gateway does not relay
 * their answers, and `user`, `metadata` and `store` are none of the upstream's business.
 */
export class PassedOnFields {
  reasoning_effort?: string | null;
  frequency_penalty?: unknown;
  presence_penalty?: unknown;
  logit_bias?: unknown;
  top_k?: unknown;
  min_p?: unknown;
  repetition_penalty?: unknown;
  verbosity?: unknown;
  prediction?: unknown;
  prompt_cache_key?: unknown;
  safety_identifier?: unknown;
  service_tier?: unknown;
  /** This and the next three switch reasoning off, each at some servers. */
  thinking?: unknown;
  enable_thinking?: unknown;
  chat_template_kwargs?: unknown;
  reasoning?: unknown;
}

const PASSED_ON = [
  'reasoning_effort',
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
  'top_k',
  'min_p',
  'repetition_penalty',
  'verbosity',
  'prediction',
  'prompt_cache_key',
  'safety_identifier',
  'service_tier',
] as const satisfies readonly (keyof PassedOnFields)[];

/** Fields of a request that an upstream of the same format gets unread. */
export function passedOnFields(fields: PassedOnFields): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    PASSED_ON.filter((name) => !isAbsent(fields[name])).map((name) => [name, fields[name]]),
  );
}

/** Whether a caller switches reasoning off, in the format's own way or in that of one of its servers. */
export function isThinkingOff(fields: PassedOnFields): boolean {
  const { reasoning_effort: effort, reasoning, thinking, enable_thinking: isEnabled } = fields;
  const template = isJsonObject(fields.chat_template_kwargs) ? fields.chat_template_kwargs : {};
  return (
    [isEnabled, template.enable_thinking, thinking].includes(false) ||
    effort === 'none' ||
    (isJsonObject(thinking) && thinking.type === 'disabled') ||
    (isJsonObject(reasoning) && (reasoning.effort === 'none' || reasoning.enabled === false))
  );
}
