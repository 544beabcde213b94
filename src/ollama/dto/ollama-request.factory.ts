import { loweredToAnswerLimit } from '../../chat/dto/answer-limit.js';
import { toCompletionRequest } from '../../chat/dto/completion-request.factory.js';
import { type CreateChatCompletionDto, NO_LIMIT } from '../../chat/dto/create-chat-completion.dto.js';
import { type FieldPlaces, sentFields } from '../../chat/dto/fields/sent-fields.js';
import { strictFormat } from '../../chat/dto/response-format.js';
import { isAbsent } from '../../chat/dto/wire-values.js';
import { type ChatMessage } from '../../chat/interfaces/chat-message.js';
import { type CompletionRequest } from '../../chat/interfaces/completion-request.js';
import { type Settings } from '../../common/config/settings.js';
import { ModelNotFoundError } from '../../common/errors/gateway.errors.js';
import { type FindModel } from '../../models/model.js';
import { type OllamaBodyDto, type OllamaChatDto, type OllamaGenerateDto } from './ollama-bodies.dto.js';
import { fromOllamaMessages, withImages } from './ollama-messages.js';

/** Options under their names in the chat format. */
const OPTION_NAMES = {
  temperature: 'temperature',
  top_p: 'top_p',
  top_k: 'top_k',
  min_p: 'min_p',
  seed: 'seed',
  stop: 'stop',
  repeat_penalty: 'repetition_penalty',
  frequency_penalty: 'frequency_penalty',
  presence_penalty: 'presence_penalty',
} as const;

const PLACES: FieldPlaces = {
  messages: ['messages', 'prompt'],
  max_tokens: ['options.num_predict'],
  response_format: ['format'],
  ...Object.fromEntries(
    Object.entries(OPTION_NAMES).map(([option, field]) => [field, [`options.${option}`]]),
  ),
};

const LATEST = ':latest';

/** Finds models by the names that clients of this API give them, who add a tag where a name has none. */
export function modelFinder(find: FindModel): FindModel {
  return (name) => {
    try {
      return find(name);
    } catch (error) {
      if (error instanceof ModelNotFoundError && name.endsWith(LATEST)) {
        return find(name.slice(0, -LATEST.length));
      }
      throw error;
    }
  };
}

/**
 * Turns the wire request into the internal one.
 * @param findModel throws ModelNotFoundError
 * @throws InvalidRequestError whose `param` names the field
 */
export function toOllamaChat(
  dto: OllamaChatDto,
  findModel: FindModel,
  settings: Settings,
): CompletionRequest {
  const { messages, tools } = dto;
  return toRequest(dto, { messages: fromOllamaMessages(messages), tools }, findModel, settings);
}

/** The same for a prompt, which the user says. */
export function toOllamaGeneration(
  dto: OllamaGenerateDto,
  findModel: FindModel,
  settings: Settings,
): CompletionRequest {
  const { prompt, system, images } = dto;
  const messages = [
    ...(system ? [{ role: 'system', content: system }] : []),
    { role: 'user', content: withImages(prompt, images, 'images') },
  ];
  const request = toRequest(dto, { messages }, findModel, settings);
  return { ...request, fieldNames: { ...request.fieldNames, messages: 'prompt' } };
}

function toRequest(
  dto: OllamaBodyDto,
  { messages, tools }: { readonly messages: unknown; readonly tools?: unknown },
  findModel: FindModel,
  settings: Settings,
): CompletionRequest {
  const { model, stream, options, logprobs } = dto;
  const chat = {
    ...samplingOf(options),
    model,
    messages: messages as readonly ChatMessage[],
    tools: tools as CreateChatCompletionDto['tools'],
    stream: stream ?? true,
    max_tokens: answerLimit(options?.num_predict, findModel, model),
    response_format: responseFormat(dto.format),
    logprobs,
    ...thinkingOf(dto),
  };
  const request = toCompletionRequest(chat, findModel, settings, true);
  return {
    ...request,
    fieldNames: {
      messages: 'messages',
      schema: 'format',
      sent: sentFields(dto, PLACES),
    },
  };
}

/** Checked with the fields of the chat format that it becomes. */
function samplingOf(options: OllamaBodyDto['options']): Partial<CreateChatCompletionDto> {
  const fields = Object.entries(OPTION_NAMES).map(([option, field]) => [field, options?.[option]] as const);
  return Object.fromEntries(fields);
}

/** Clients send limits that fit other models. None by default, and if it is negative or 0. */
function answerLimit(asked: unknown, findModel: FindModel, name: string): number {
  if (typeof asked !== 'number' || asked <= 0) {
    return NO_LIMIT;
  }
  return loweredToAnswerLimit(asked, findModel(name));
}

function responseFormat(format: unknown): CreateChatCompletionDto['response_format'] {
  if (isAbsent(format) || format === '') {
    return null;
  }
  return format === 'json' ? { type: 'json_object' } : strictFormat(format);
}

function thinkingOf({
  think,
}: OllamaBodyDto): Pick<CreateChatCompletionDto, 'thinking' | 'reasoning_effort'> {
  if (isAbsent(think)) {
    return {};
  }
  return typeof think === 'string' ? { reasoning_effort: think } : { thinking: think };
}
