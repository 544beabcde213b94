import { loweredToAnswerLimit } from '../../chat/dto/answer-limit.js';
import { NO_LIMIT } from '../../chat/dto/create-chat-completion.dto.js';
import { CHAT_PLACES, type FieldPlaces, sentFields } from '../../chat/dto/fields/sent-fields.js';
import { mediaTakenBy } from '../../chat/dto/media/media-parts.js';
import {
  isThinkingOff,
  type PassedOnFields,
  passedOnFields,
  unmetDemands,
} from '../../chat/dto/passed-on-fields.js';
import { type ReadFormat, readResponseFormat } from '../../chat/dto/response-format.js';
import { readStop } from '../../chat/dto/stop-sequence.js';
import { isAbsent } from '../../chat/dto/wire-values.js';
import { type CompletionRequest } from '../../chat/interfaces/completion-request.js';
import { type Settings } from '../../common/config/settings.js';
import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';
import { type FindModel } from '../../models/model.js';
import { type ReasoningForm, type RepeatedFields } from '../interfaces/response-object.js';
import { asksForSummary } from './compaction.js';
import { withUpdates } from './configuration-updates.js';
import { type CreateResponseDto } from './create-response.dto.js';
import { type InputItem, unknownTypes } from './input-items.validator.js';
import { toChatMessages } from './input-messages.js';
import { addedTools, flatTool, readTools, type ToolOrigin } from './response-tools.js';
import { readTextFormat } from './text-format.js';
import { chooseTools, flatChoice } from './tool-choice.js';

/** A request for a response, ready to be answered. */
export interface ResponseRequest {
  readonly completion: CompletionRequest;
  readonly repeated: RepeatedFields;
  /** Origins of the tools, by the name that the model knows. */
  readonly origins: ReadonlyMap<string, ToolOrigin>;
  readonly reasoning: ReasoningForm;
  /** Whether the answer is to be a summary of the conversation. */
  readonly isSummary: boolean;
  /** Whether no answer is wanted, and the request is sent for the sake of a provider's cache. */
  readonly isPrewarm: boolean;
}

/** Temperature and nucleus that the format states where the caller left them to the model. */
const SAMPLING_DEFAULT = 1;

/** Asks for probabilities of tokens. */
const LOGPROBS = 'message.output_text.logprobs';

const PLACES: FieldPlaces = {
  messages: ['input'],
  max_tokens: ['max_output_tokens', 'max_completion_tokens', 'max_tokens'],
  response_format: ['text.format', ...CHAT_PLACES.response_format],
  verbosity: ['text.verbosity', 'verbosity'],
};

/**
 * Turns the wire request into the internal one: checks the fields without rules and fills in defaults.
 * @param findModel throws ModelNotFoundError; called only after the other fields were found valid
 * @param previous items of the responses before
 * @param input items of this request, validated
 * @throws InvalidRequestError whose `param` names the field
 */
export function toResponseRequest(
  asked: CreateResponseDto,
  findModel: FindModel,
  settings: Settings,
  previous: readonly InputItem[],
  input: readonly InputItem[],
): ResponseRequest {
  const dto = withUpdates(asked, [...previous, ...input]);
  const tools = readTools(dto.tools, addedTools(previous, input));
  const { tools: offered, choice } = chooseTools(dto.tool_choice, tools);
  const { format, schemaField } = readFormat(dto);
  const passedOn = passedOnOf(dto);
  const limit = askedMaxTokens(dto);
  const isSummary = asksForSummary(input);
  const isPrewarm = !isSummary && onlyPrewarms(dto);
  const messages = toChatMessages({
    instructions: dto.instructions,
    previous,
    input,
    takes: mediaTakenBy(() => findModel(dto.model)),
  });
  const model = findModel(dto.model);
  const completion: CompletionRequest = {
    model,
    messages,
    stream: dto.stream ?? false,
    thinking: model.thinking && !isThinkingOff(passedOn),
    params: {
      ...(!isAbsent(dto.temperature) && { temperature: dto.temperature }),
      ...(!isAbsent(dto.top_p) && { topP: dto.top_p }),
      maxTokens: isPrewarm ? 0 : isAbsent(limit) ? model.maxOutputTokens : loweredToAnswerLimit(limit, model),
      stop: readStop(dto.stop),
      ...(!isAbsent(dto.seed) && { seed: dto.seed }),
      further: passedOnFields(passedOn),
    },
    tools: offered,
    toolChoice: isSummary ? 'none' : choice,
    parallelToolCalls: dto.parallel_tool_calls ?? true,
    responseFormat: isSummary ? { type: 'text' } : format,
    fieldNames: { messages: 'input', schema: schemaField, sent: sentFields(dto, PLACES) },
    ...(dto.truncation === 'auto' && { truncates: true }),
    unsupportedTools: tools.unsupported,
    unknownItems: unknownTypes(input),
    ignoredFields: [...unmetDemands(passedOn, settings), ...ignoredFields(dto)],
    ...((isAbsent(limit) || isPrewarm) && { isLimitDefault: true }),
  };
  return {
    completion,
    repeated: repeatedFields(dto, completion),
    origins: tools.origins,
    reasoning: {
      asSummary: !isAbsent(dto.reasoning?.summary),
      carriesReasoning: dto.include?.includes('reasoning.encrypted_content') ?? false,
    },
    isSummary,
    isPrewarm,
  };
}

function onlyPrewarms({ generate, prompt_cache_options: cache }: CreateResponseDto): boolean {
  return generate === false || (isJsonObject(cache) && cache.prewarm === true);
}

/** Fields without effect that an answer may depend on. */
function ignoredFields(dto: CreateResponseDto): readonly string[] {
  return [
    ...(['context_management', 'moderation'] as const).filter((name) => !isAbsent(dto[name])),
    ...(dto.logprobs ? ['logprobs'] : []),
    ...(dto.top_logprobs ? ['top_logprobs'] : []),
    ...(dto.include?.includes(LOGPROBS) ? [LOGPROBS] : []),
  ];
}

/** Those that servers of the chat format know as well, under their names. */
function passedOnOf(dto: CreateResponseDto): PassedOnFields {
  return {
    ...dto,
    reasoning_effort: (dto.reasoning?.effort as string | null | undefined) ?? dto.reasoning_effort,
    verbosity: dto.text?.verbosity ?? dto.verbosity,
  };
}

/** Undefined or null if the caller leaves the length to the model. */
function askedMaxTokens(dto: CreateResponseDto): number | null | undefined {
  const asked = dto.max_output_tokens ?? dto.max_completion_tokens ?? dto.max_tokens;
  return asked === NO_LIMIT ? undefined : asked;
}

function readFormat(dto: CreateResponseDto): ReadFormat {
  const format = dto.text?.format;
  return isAbsent(format) ? readResponseFormat(dto) : readTextFormat(format, 'text.format');
}

/** With all members that the format requires of a response, whose clients may refuse it without. */
function repeatedFields(
  dto: CreateResponseDto,
  { model, params, parallelToolCalls }: CompletionRequest,
): RepeatedFields {
  return {
    background: dto.background ?? false,
    frequency_penalty: dto.frequency_penalty ?? 0,
    instructions: dto.instructions ?? null,
    max_output_tokens: isAbsent(askedMaxTokens(dto)) ? null : params.maxTokens,
    max_tool_calls: dto.max_tool_calls ?? null,
    metadata: dto.metadata ?? {},
    model: model.id,
    parallel_tool_calls: parallelToolCalls,
    presence_penalty: dto.presence_penalty ?? 0,
    previous_response_id: dto.previous_response_id ?? null,
    prompt_cache_key: dto.prompt_cache_key ?? null,
    reasoning: { effort: dto.reasoning?.effort ?? null, summary: dto.reasoning?.summary ?? null },
    safety_identifier: dto.safety_identifier ?? null,
    service_tier: 'default',
    store: dto.store ?? true,
    temperature: params.temperature ?? SAMPLING_DEFAULT,
    text: { ...dto.text, format: repeatedFormat(dto.text?.format) },
    tool_choice: flatChoice(dto.tool_choice) ?? 'auto',
    tools: (dto.tools ?? []).map(repeatedTool),
    top_logprobs: 0,
    top_p: params.topP ?? SAMPLING_DEFAULT,
    truncation: dto.truncation ?? 'disabled',
    user: dto.user ?? null,
  };
}

function repeatedFormat(format: unknown): unknown {
  if (isAbsent(format)) {
    return { type: 'text' };
  }
  const { type, description, strict } = format as JsonObject;
  return type === 'json_schema'
    ? { ...(format as JsonObject), description: description ?? null, strict: strict ?? false }
    : format;
}

function repeatedTool(given: unknown): unknown {
  const tool = flatTool(given) as JsonObject;
  const { type, description, parameters, strict } = tool;
  const filled = { description: description ?? null, parameters: parameters ?? null, strict: strict ?? null };
  return type === 'function' ? { ...tool, ...filled } : tool;
}
