import { type Settings } from '../../common/config/settings.js';
import { type FindModel, type Model } from '../../models/model.js';
import { CHAT_FIELD_NAMES, type CompletionRequest } from '../interfaces/completion-request.js';
import { loweredToAnswerLimit, withinAnswerLimit } from './answer-limit.js';
import { type CreateChatCompletionDto, NO_LIMIT } from './create-chat-completion.dto.js';
import { CHAT_PLACES, sentFields } from './fields/sent-fields.js';
import { mediaTakenBy } from './media/media-parts.js';
import { validateMessages } from './messages.validator.js';
import { isThinkingOff, passedOnFields, unmetDemands } from './passed-on-fields.js';
import { readResponseFormat } from './response-format.js';
import { readStop } from './stop-sequence.js';
import { readToolChoice, toChatTools } from './tools.validator.js';
import { invalidField, isAbsent } from './wire-values.js';

/** Most tokens of an answer where neither the request nor the settings name a number: the contract's default. */
const MAX_TOKENS_WITHOUT_TOOLS = 1000;

/** A request, and what only the answer of this endpoint needs. */
export interface ChatRequest extends CompletionRequest {
  /** Names of the functions that the caller knows as custom tools. */
  readonly customTools: ReadonlySet<string>;
}

/**
 * Turns the wire request into the internal one: checks the fields without class-validator rules and fills in defaults.
 * @param streamDefault whether a request without `stream` is answered as a stream
 * @param findModel throws ModelNotFoundError; called only after `messages` and `tools` were found valid
 * @throws InvalidRequestError whose `param` names the field
 */
export function toCompletionRequest(
  dto: CreateChatCompletionDto,
  findModel: FindModel,
  settings: Settings,
  streamDefault: boolean,
): ChatRequest {
  refuseFunctions(dto);
  const messages = validateMessages(
    dto.messages,
    mediaTakenBy(() => findModel(dto.model)),
  );
  const { definitions, custom, unsupported } = toChatTools(dto.tools);
  const { tools, choice } = readToolChoice(dto.tool_choice, definitions);
  const { format, schemaField } = readResponseFormat(dto);
  const model = findModel(dto.model);
  const asked = askedMaxTokens(dto, model, tools.length > 0);
  return {
    model,
    messages,
    stream: dto.stream ?? streamDefault,
    thinking: model.thinking && !isThinkingOff(dto),
    params: {
      ...(!isAbsent(dto.temperature) && { temperature: dto.temperature }),
      ...(!isAbsent(dto.top_p) && { topP: dto.top_p }),
      maxTokens: asked ?? defaultMaxTokens(model, tools.length > 0, settings),
      stop: readStop(dto.stop),
      ...(typeof dto.seed === 'number' && { seed: dto.seed }),
      further: passedOnFields(dto),
    },
    ...(asked === undefined && { isLimitDefault: true }),
    tools,
    toolChoice: choice,
    parallelToolCalls: dto.parallel_tool_calls ?? true,
    responseFormat: format,
    fieldNames: { ...CHAT_FIELD_NAMES, schema: schemaField, sent: sentFields(dto, CHAT_PLACES) },
    unsupportedTools: isAbsent(dto.web_search_options) ? unsupported : [...unsupported, 'web_search_options'],
    ignoredFields: ignoredFields(dto, settings),
    customTools: custom,
  };
}

/**
 * Whether the final chunk is to carry `usage`; default: no.
 * @throws InvalidRequestError
 */
export function wantsUsage({ stream_options: options }: CreateChatCompletionDto): boolean {
  const value: unknown = options?.include_usage ?? false;
  if (typeof value !== 'boolean') {
    throw invalidField('stream_options.include_usage', 'must be a boolean');
  }
  return value;
}

function ignoredFields(dto: CreateChatCompletionDto, settings: Settings): readonly string[] {
  const dropped = (['logprobs', 'moderation', 'store'] as const).filter((name) => dto[name]);
  return [...unmetDemands(dto, settings), ...dropped];
}

/** Left alone, they would be dropped without a word. */
function refuseFunctions({ functions }: CreateChatCompletionDto): void {
  if (!isAbsent(functions) && !(Array.isArray(functions) && functions.length === 0)) {
    throw invalidField('functions', 'is no longer supported: send the functions as `tools`');
  }
}

/**
 * Agents ask for the most of a model that they know, or for the whole context window (Kimi Code), and give up when that is
 * refused; others get an error.
 */
function askedMaxTokens(dto: CreateChatCompletionDto, model: Model, hasTools: boolean): number | undefined {
  const asked = dto.max_completion_tokens ?? dto.max_tokens;
  if (isAbsent(asked)) {
    return undefined;
  }
  if (asked === NO_LIMIT) {
    return model.maxOutputTokens;
  }
  const isAlias = dto.model !== model.id;
  if (isAlias || hasTools) {
    return loweredToAnswerLimit(asked, model);
  }
  const param = isAbsent(dto.max_completion_tokens) ? 'max_tokens' : 'max_completion_tokens';
  return withinAnswerLimit(asked, model, param);
}

/** Half a tool call is a lost file, so a request with tools is cut by its model only. */
function defaultMaxTokens({ maxOutputTokens }: Model, hasTools: boolean, settings: Settings): number {
  const fallback = hasTools ? maxOutputTokens : MAX_TOKENS_WITHOUT_TOOLS;
  return Math.min(settings.DEFAULT_MAX_TOKENS ?? fallback, maxOutputTokens);
}
