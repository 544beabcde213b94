import { type FieldPlaces, sentFields } from '../../chat/dto/fields/sent-fields.js';
import { mediaTakenBy } from '../../chat/dto/media/media-parts.js';
import { effortOfBudget } from '../../chat/dto/passed-on-fields.js';
import { strictFormat } from '../../chat/dto/response-format.js';
import { readStopSequences } from '../../chat/dto/stop-sequence.js';
import { invalidField, isAbsent } from '../../chat/dto/wire-values.js';
import { type CompletionRequest, type ResponseFormat } from '../../chat/interfaces/completion-request.js';
import { refuseLoneSearch } from '../../chat/omissions.js';
import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';
import { type FindModel } from '../../models/model.js';
import { toConversation } from './conversation.js';
import { type CountTokensDto, type CreateMessageDto } from './create-message.dto.js';
import { effortSetBy } from './effort-changes.js';
import { ignoredFields } from './ignored-fields.js';
import { toMessageToolChoice, toMessageTools } from './message-tools.js';
import { toolChanges } from './tool-changes.js';

const PLACES: FieldPlaces = {
  messages: ['messages'],
  max_tokens: ['max_tokens'],
  stop: ['stop_sequences'],
  parallel_tool_calls: ['tool_choice'],
  response_format: ['output_config.format', 'output_format'],
};
const THINKING_TYPES = ['enabled', 'adaptive', 'between_tools', 'disabled'];

/**
 * Turns the wire request into the internal one: checks the fields without rules of their own and fills in defaults.
 * @param findModel throws ModelNotFoundError; called only after the conversation and the tools were found valid
 * @throws InvalidRequestError whose `param` names the field
 */
export function toMessageRequest(dto: CreateMessageDto, findModel: FindModel): CompletionRequest {
  const request = toCountRequest(dto, findModel);
  refuseLoneSearch(request, LOOKS_UP);
  refuseStreamOfNothing(dto);
  const further = {
    ...(!isAbsent(dto.top_k) && { top_k: dto.top_k }),
    ...(request.thinking && effortOf(dto)),
  };
  return {
    ...request,
    stream: dto.stream ?? false,
    params: {
      ...(!isAbsent(dto.temperature) && { temperature: dto.temperature }),
      ...(!isAbsent(dto.top_p) && { topP: dto.top_p }),
      ...(Object.keys(further).length > 0 && { further }),
      // Clients must send a limit, and send that of the model whose name this one answers to.
      maxTokens: Math.min(dto.max_tokens, request.model.maxOutputTokens),
      stop: stopSequences(dto.stop_sequences),
    },
  };
}

/**
 * The same for a request whose tokens are only counted.
 * @throws InvalidRequestError whose `param` names the field
 */
export function toCountRequest(dto: CountTokensDto, findModel: FindModel): CompletionRequest {
  const messages = toConversation(
    dto.system,
    dto.messages,
    mediaTakenBy(() => findModel(dto.model)),
  );
  const tools = toMessageTools(dto.tools, toolChanges(dto.system, dto.messages));
  const { choice, isParallel } = toMessageToolChoice(dto.tool_choice, tools);
  const thinking = wantsThinking(dto.thinking);
  const format = outputFormat(dto);
  const model = findModel(dto.model);
  return {
    model,
    messages,
    stream: false,
    thinking: model.thinking && thinking,
    params: {
      maxTokens: model.maxOutputTokens,
      stop: [],
    },
    tools: tools.definitions,
    toolChoice: choice,
    callIdPrefix: 'toolu_',
    parallelToolCalls: isParallel,
    responseFormat: toResponseFormat(format),
    fieldNames: {
      messages: 'messages',
      schema: `${format.param}.schema`,
      sent: sentFields(dto, PLACES),
    },
    tellsStopSequence: true,
    unsupportedTools: [
      ...tools.unsupported.map(({ type }) => type),
      ...(Array.isArray(dto.mcp_servers) && dto.mcp_servers.length > 0 ? ['mcp_servers'] : []),
    ],
    ignoredFields: ignoredFields(dto),
  };
}

/** Tools that look something up on the web. */
const LOOKS_UP = /^web_(?:search|fetch)(?:_|$)/;

function refuseStreamOfNothing({ stream, max_tokens: limit }: CreateMessageDto): void {
  if (stream && limit === 0) {
    throw invalidField('stream', 'must not be true if max_tokens is 0');
  }
}

/**
 * Whether the caller wants to see that the model reasons, but not what. So does one that asks for excerpts in a form of
 * the provider's own, which no model here writes.
 */
export function omitsThinking({ thinking }: CountTokensDto): boolean {
  const display = (thinking as JsonObject | null | undefined)?.display;
  return !isAbsent(display) && display !== 'summarized';
}

/** Those that servers of the chat format know for the efforts of this one; of any other the model decides. */
const EFFORTS = new Map<unknown, string>([
  ['low', 'low'],
  ['medium', 'medium'],
  ['high', 'high'],
  ['xhigh', 'high'],
  ['max', 'high'],
]);

/** Reasoning effort, as a field of the chat format, which knows no budgets. What the conversation sets stands first. */
function effortOf({ messages, output_config: config, thinking }: CountTokensDto): {
  reasoning_effort?: string;
} {
  const effort = effortSetBy(messages) ?? (config as JsonObject | null | undefined)?.effort;
  const budget = (thinking as JsonObject | null | undefined)?.budget_tokens;
  if (!isAbsent(budget) && !(Number.isInteger(budget) && (budget as number) > 0)) {
    throw invalidField('thinking.budget_tokens', 'must be a positive integer');
  }
  const named = EFFORTS.get(effort) ?? (isAbsent(budget) ? undefined : effortOfBudget(budget as number));
  return named === undefined ? {} : { reasoning_effort: named };
}

/** Whether the model is to reason at all. The format has it off by default. */
function wantsThinking(thinking: CountTokensDto['thinking']): boolean {
  if (isAbsent(thinking)) {
    return false;
  }
  const { type, display } = thinking as JsonObject;
  if (typeof type !== 'string' || !THINKING_TYPES.includes(type)) {
    throw invalidField('thinking.type', `must be one of ${THINKING_TYPES.join(', ')}`);
  }
  if (!isAbsent(display) && typeof display !== 'string') {
    throw invalidField('thinking.display', 'must be a string');
  }
  return type !== 'disabled';
}

function stopSequences(value: unknown): readonly string[] {
  if (isAbsent(value)) {
    return [];
  }
  if (!Array.isArray(value)) {
    throw invalidField('stop_sequences', 'must be an array');
  }
  return readStopSequences(value, 'stop_sequences');
}

/** The format of the answer as the caller sent it, and the field that held it. */
interface OutputFormat {
  readonly value: unknown;
  readonly param: string;
}

/** `output_format` is its former name. */
function outputFormat({ output_config: config, output_format: old }: CountTokensDto): OutputFormat {
  const format = (config as JsonObject | null | undefined)?.format;
  return isAbsent(format) && !isAbsent(old)
    ? { value: old, param: 'output_format' }
    : { value: format, param: 'output_config.format' };
}

function toResponseFormat({ value: format, param }: OutputFormat): ResponseFormat {
  if (isAbsent(format)) {
    return { type: 'text' };
  }
  if (!isJsonObject(format) || format.type !== 'json_schema' || !isJsonObject(format.schema)) {
    throw invalidField(param, 'must be of type json_schema and have a schema');
  }
  return strictFormat(format.schema);
}
