import { type BodyForm } from '../../chat/body-forms.js';
import { type CreateChatCompletionDto } from '../../chat/dto/create-chat-completion.dto.js';
import { isThinkingOff, passedOnFields } from '../../chat/dto/passed-on-fields.js';
import { readResponseFormat } from '../../chat/dto/response-format.js';
import { readStop } from '../../chat/dto/stop-sequence.js';
import { invalidField, isAbsent, type JsonObject } from '../../chat/dto/wire-values.js';
import { type CompletionRequest } from '../../chat/interfaces/completion-request.js';
import { CreateResponseDto } from './create-response.dto.js';
import { type InputItem, validateInput } from './input-items.validator.js';
import { toResponseRequest } from './response-request.factory.js';

/** A body of this format at `/v1/chat/completions`, as Cursor sends it. Nothing of it is stored. */
export const CHAT_BODY: BodyForm = {
  isFormOf: ({ messages, input }) =>
    isAbsent(messages) && (typeof input === 'string' || Array.isArray(input)),

  toRequest: (body, findModel, streamDefault) => {
    const dto = Object.assign(new CreateResponseDto(), withResponseLimit(body));
    CreateResponseDto.validate(dto);
    const input = validateInput(dto.input);
    refuseStored(dto, input);
    const { completion, origins } = toResponseRequest(dto, findModel, [], input);
    const custom = [...origins].filter(([, { kind }]) => kind === 'custom').map(([name]) => name);
    return {
      ...withChatFields(completion, body as unknown as CreateChatCompletionDto),
      stream: dto.stream ?? streamDefault,
      customTools: new Set(custom),
    };
  },
};

/**
 * The request with what the body says in fields of a chat completion alone; those of its own format come first.
 * @param chat checked already, as every body of this path is
 */
function withChatFields(completion: CompletionRequest, chat: CreateChatCompletionDto): CompletionRequest {
  const { params, thinking, responseFormat, fieldNames } = completion;
  const { format, schemaField } = readResponseFormat(chat);
  return {
    ...completion,
    thinking: thinking && !isThinkingOff(chat),
    params: {
      ...params,
      stop: readStop(chat.stop),
      ...(!isAbsent(chat.seed) && { seed: chat.seed }),
      further: { ...passedOnFields(chat), ...params.further },
    },
    ...(responseFormat.type === 'text' && {
      responseFormat: format,
      fieldNames: { ...fieldNames, schema: schemaField },
    }),
  };
}

/** The limit of the answer may have one of its names at this path. */
function withResponseLimit(body: JsonObject): JsonObject {
  const { max_output_tokens: limit, max_completion_tokens: asked, max_tokens: old } = body;
  return { ...body, max_output_tokens: limit ?? asked ?? old };
}

/** @throws InvalidRequestError for what refers to a stored response */
function refuseStored(
  { previous_response_id: previous }: CreateResponseDto,
  input: readonly InputItem[],
): void {
  const reference = input.findIndex(({ type }) => type === 'item_reference');
  const param = isAbsent(previous) ? `input[${reference}]` : 'previous_response_id';
  if (!isAbsent(previous) || reference >= 0) {
    throw invalidField(param, 'is known at /v1/responses alone: send the whole conversation');
  }
}
