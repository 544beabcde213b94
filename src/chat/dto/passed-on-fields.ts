import { type Settings } from '../../common/config/settings.js';
import { isApi } from '../../common/config/upstream-kind.js';
import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';
import { isAbsent } from './wire-values.js';

/**
 * Fields of the format, and of its widespread servers, that the gateway does not check. An OpenAI-format upstream gets
 * those of `PASSED_ON` as they are, and the effort and the switch of reasoning in one form each. `user`, `metadata` and
 * `store` are no part, being none of the upstream's business.
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
  prompt_cache_options?: unknown;
  prompt_cache_retention?: unknown;
  safety_identifier?: unknown;
  service_tier?: unknown;
  /** Demands on the text, of vLLM, of llama.cpp and of SGLang. */
  structured_outputs?: unknown;
  guided_choice?: unknown;
  guided_regex?: unknown;
  guided_grammar?: unknown;
  grammar?: unknown;
  regex?: unknown;
  ebnf?: unknown;
  min_tokens?: unknown;
  bad_words?: unknown;
  stop_token_ids?: unknown;
  /** This and the next have vLLM go on with the last message, if that is the assistant's. */
  continue_final_message?: unknown;
  add_generation_prompt?: unknown;
  /** This and the next three switch reasoning on and off, each at some servers; the first two also say how much of it. */
  thinking?: unknown;
  reasoning?: unknown;
  enable_thinking?: unknown;
  chat_template_kwargs?: unknown;
}

/** What the whole text has to be: an answer of any other upstream need not be that. */
const DEMANDS = [
  'structured_outputs',
  'guided_choice',
  'guided_regex',
  'guided_grammar',
  'grammar',
  'regex',
  'ebnf',
] as const satisfies readonly (keyof PassedOnFields)[];

/** Those that an upstream gets as they are. */
export const PASSED_ON = [
  ...DEMANDS,
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
  'top_k',
  'min_p',
  'repetition_penalty',
  'verbosity',
  'prediction',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'safety_identifier',
  'service_tier',
  'min_tokens',
  'bad_words',
  'stop_token_ids',
  'continue_final_message',
  'add_generation_prompt',
] as const satisfies readonly (keyof PassedOnFields)[];

/** Budgets in tokens from which reasoning is of medium and of high effort: those that LiteLLM makes of these words. */
const MEDIUM_BUDGET = 2048;
const HIGH_BUDGET = 4096;

/** Switches of the chat templates of vLLM, SGLang and llama.cpp: that of Qwen and GLM, and that of DeepSeek and Kimi. */
const TEMPLATE_ON = { enable_thinking: true, thinking: true };

/**
 * Fields of a request that an upstream of the same format gets unread; the effort of reasoning in the format's own field,
 * and for a model that does not reason by itself a switch without an effort as one of its chat template.
 */
export function passedOnFields(fields: PassedOnFields): Readonly<Record<string, unknown>> {
  const effort = askedEffort(fields);
  const template = {
    ...templateOf(fields),
    ...(effort === undefined && isThinkingOn(fields) && TEMPLATE_ON),
  };
  return {
    ...(effort !== undefined && { reasoning_effort: effort }),
    ...(Object.keys(template).length > 0 && { chat_template_kwargs: template }),
    ...Object.fromEntries(
      PASSED_ON.filter((name) => isPassedOn(fields, name)).map((name) => [name, fields[name]]),
    ),
  };
}

/** The demands on the text that the upstream cannot meet: only an API can. */
export function unmetDemands(fields: PassedOnFields, settings: Settings): readonly string[] {
  return isApi(settings) ? [] : DEMANDS.filter((name) => isPassedOn(fields, name));
}

/** A schema among the demands becomes the form of the answer instead. */
function isPassedOn(fields: PassedOnFields, name: (typeof PASSED_ON)[number]): boolean {
  const value = fields[name];
  const isSchema = name === 'structured_outputs' && isJsonObject(value) && !isAbsent(value.json);
  return !isAbsent(value) && !isSchema;
}

/** The effort of reasoning that stands for a budget: servers of the chat format know no budgets. */
export function effortOfBudget(tokens: number): string {
  return tokens < MEDIUM_BUDGET ? 'low' : tokens < HIGH_BUDGET ? 'medium' : 'high';
}

/** The effort of reasoning asked for, in the format's own words or in those of one of its servers. */
function askedEffort(fields: PassedOnFields): string | undefined {
  const reasoning = isJsonObject(fields.reasoning) ? fields.reasoning : {};
  const thinking = isJsonObject(fields.thinking) ? fields.thinking : {};
  const named = fields.reasoning_effort ?? reasoning.effort;
  if (typeof named === 'string') {
    return named;
  }
  const budget = thinking.budget_tokens ?? reasoning.max_tokens;
  return typeof budget === 'number' && budget > 0 ? effortOfBudget(budget) : undefined;
}

/** Whether a caller switches reasoning off, in the format's own way or in that of one of its servers. */
export function isThinkingOff(fields: PassedOnFields): boolean {
  const { reasoning_effort: effort, reasoning, thinking, enable_thinking: isEnabled } = fields;
  const template = templateOf(fields);
  return (
    [isEnabled, template.enable_thinking, template.thinking, thinking].includes(false) ||
    effort === 'none' ||
    (isJsonObject(thinking) && thinking.type === 'disabled') ||
    (isJsonObject(reasoning) && (reasoning.effort === 'none' || reasoning.enabled === false))
  );
}

/** Whether a caller switches reasoning on by a field that says no more than that. */
function isThinkingOn({ reasoning, thinking, enable_thinking: isEnabled }: PassedOnFields): boolean {
  return (
    [isEnabled, thinking].includes(true) ||
    (isJsonObject(thinking) && thinking.type === 'enabled') ||
    (isJsonObject(reasoning) && reasoning.enabled === true)
  );
}

function templateOf({ chat_template_kwargs: template }: PassedOnFields): JsonObject {
  return isJsonObject(template) ? template : {};
}
