import { type BodyForm } from '../../chat/body-forms.js';
import { invalidField, isAbsent } from '../../chat/dto/wire-values.js';
import { CreateResponseDto } from './create-response.dto.js';
import { type InputItem, validateInput } from './input-items.validator.js';
import { toResponseRequest } from './response-request.factory.js';

/** A body of this format at `/v1/chat/completions`, as Cursor sends it. Nothing of it is stored. */
export const CHAT_BODY: BodyForm = {
  isFormOf: ({ messages, input }) =>
    isAbsent(messages) && (typeof input === 'string' || Array.isArray(input)),

  toRequest: (body, findModel, settings, streamDefault) => {
    const dto = Object.assign(new CreateResponseDto(), body);
    CreateResponseDto.validate(dto);
    const input = validateInput(dto.input);
    refuseStored(dto, input);
    const { completion, origins } = toResponseRequest(dto, findModel, settings, [], input);
    const custom = [...origins].filter(([, { kind }]) => kind === 'custom').map(([name]) => name);
    return { ...completion, stream: dto.stream ?? streamDefault, customTools: new Set(custom) };
  },
};

/** @throws InvalidRequestError for what refers to a stored response */
function refuseStored(
  { previous_response_id: previous }: CreateResponseDto,
  input: readonly InputItem[],
): void {
  const reference = input.findIndex(({ type }) => type === 'item_reference');
  const param = isAbsent(previous) ? `input[${reference}]` : 'previous_response_id';
  if (!isAbsent(previous) || reference >= 0) {
    throw invalidField(param, 'is supported only at /v1/responses: send the whole conversation');
  }
}
