import { type Settings } from '../../common/config/settings.js';
import { InvalidRequestError } from '../../common/errors/gateway.errors.js';
import { type Model } from '../../models/model.js';
import { type CompletionRequest, type ResponseFormat } from '../interfaces/completion-request.js';
import { type CreateChatCompletionDto } from './create-chat-completion.dto.js';
import { validateMessages } from './messages.validator.js';
import { validateToolChoice, validateTools } from './tools.validator.js';

/** The format's own limit. */
const MAX_STOP_SEQUENCES = 4;

/** Defaults of the contract (SPEC "Chat completion request"). */
const DEFAULT_TEMPERATURE = 0.7;
const DEFAULT_TOP_P = 0.9;

/**
 * Turns the wire request into the internal one: checks what class-validator does not, and fills in the defaults.
 * @param findModel throws ModelNotFoundError; asked only once the messages are known to be well-formed
 * @throws InvalidRequestError whose `param` names the field
 */
export function toCompletionRequest(
  dto: CreateChatCompletionDto,
  findModel: (id: string) => Model,
  settings: Settings,
): CompletionRequest {
  const messages = validateMessages(dto.messages);
  const tools = validateTools(dto.tools);
  const model = findModel(dto.model);
  return {
    model,
    messages,
    stream: dto.stream ?? settings.STREAM_DEFAULT,
    includeUsage: includeUsage(dto.stream_options),
    thinking: model.thinking && dto.reasoning_effort !== 'none',
    params: {
      temperature: dto.temperature ?? DEFAULT_TEMPERATURE,
      topP: dto.top_p ?? DEFAULT_TOP_P,
      maxTokens: maxTokens(dto, model, settings),
      stop: stopSequences(dto.stop),
      ...(typeof dto.seed === 'number' ? { seed: dto.seed } : {}),
    },
    tools,
    toolChoice: validateToolChoice(dto.tool_choice, tools),
    parallelToolCalls: dto.parallel_tool_calls ?? true,
    responseFormat: responseFormat(dto.response_format),
  };
}

function includeUsage(options: CreateChatCompletionDto['stream_options']): boolean {
  const value: unknown = options?.include_usage ?? false;
  if (typeof value !== 'boolean') {
    throw new InvalidRequestError(
      'stream_options.include_usage must be a boolean',
      'stream_options.include_usage',
    );
  }
  return value;
}

function maxTokens(dto: CreateChatCompletionDto, model: Model, settings: Settings): number {
  const param = typeof dto.max_completion_tokens === 'number' ? 'max_completion_tokens' : 'max_tokens';
  const asked = dto.max_completion_tokens ?? dto.max_tokens;
  if (asked === undefined || asked === null) {
    return Math.min(settings.DEFAULT_MAX_TOKENS, model.maxOutputTokens);
  }
  if (asked > model.maxOutputTokens) {
    throw new InvalidRequestError(
      `${param} must be at most ${model.maxOutputTokens}, the most that ${model.id} generates`,
      param,
    );
  }
  return asked;
}

function stopSequences(stop: unknown): readonly string[] {
  if (stop === undefined || stop === null) {
    return [];
  }
  const sequences: readonly unknown[] = Array.isArray(stop) ? stop : [stop];
  if (sequences.length > MAX_STOP_SEQUENCES) {
    throw new InvalidRequestError(`stop must hold at most ${MAX_STOP_SEQUENCES} sequences`, 'stop');
  }
  sequences.forEach((sequence, index) => {
    if (typeof sequence !== 'string' || sequence === '') {
      const param = Array.isArray(stop) ? `stop[${index}]` : 'stop';
      throw new InvalidRequestError(`${param} must be a non-empty string`, param);
    }
  });
  return sequences as readonly string[];
}

function responseFormat(format: CreateChatCompletionDto['response_format']): ResponseFormat {
  switch (format?.type) {
    case undefined:
      if (format) {
        throw new InvalidRequestError('response_format.type is required', 'response_format.type');
      }
      return { type: 'text' };
    case 'text':
    case 'json_object':
      return { type: format.type };
    case 'json_schema': {
      const schema: unknown = (format.json_schema as { schema?: unknown } | undefined)?.schema;
      if (typeof schema !== 'object' || schema === null) {
        throw new InvalidRequestError(
          'response_format.json_schema.schema must be a JSON Schema object',
          'response_format.json_schema.schema',
        );
      }
      return { type: 'json_schema', schema };
    }
    default:
      throw new InvalidRequestError(
        'response_format.type must be text, json_object or json_schema',
        'response_format.type',
      );
  }
}
