import { type CreateChatCompletionDto } from '../../chat/dto/create-chat-completion.dto.js';
import { type Parameter } from '../../chat/dto/parameter-rules.js';
import { strictFormat } from '../../chat/dto/response-format.js';
import { invalidField, isAbsent } from '../../chat/dto/wire-values.js';
import { isJsonObject } from '../../common/text/json-object.js';
import { checkedMembers, type GenerationConfig, oneOf } from './generation-config.js';
import { toJsonSchema } from './google-schema.js';
import { elementsOf, membersOf } from './wire-objects.js';

/** The form of the answer in the chat format, and the field that holds its schema. */
interface AnswerForm {
  readonly value: CreateChatCompletionDto['response_format'];
  readonly param: string;
}

/**
 * The form of the answer, in whichever members it is asked for.
 * @throws InvalidRequestError
 */
export function answerForm(config: GenerationConfig): AnswerForm {
  const { responseFormat, responseSchema, responseJsonSchema, responseMimeType: type } = config;
  if (!isAbsent(responseFormat)) {
    return formOf(responseFormat);
  }
  return isAbsent(responseJsonSchema)
    ? toForm(type, toJsonSchema(responseSchema), 'generationConfig.responseSchema')
    : toForm(type, responseJsonSchema, 'generationConfig.responseJsonSchema');
}

const FORMAT = 'generationConfig.responseFormat';

/** The API has a name for a type as well. */
const TEXT_FORM: readonly Parameter[] = [
  { field: 'mimeType', rules: [oneOf('text/plain', 'application/json', 'TEXT_PLAIN', 'APPLICATION_JSON')] },
];

/** One form for each kind of output: alone or in a list. */
function formOf(responseFormat: unknown): AnswerForm {
  const forms = elementsOf(responseFormat).flatMap((form) => Object.entries(membersOf(form, FORMAT)));
  const other = forms.find(([kind, form]) => kind !== 'text' && !isAbsent(form));
  if (other) {
    throw invalidField(`${FORMAT}.${other[0]}`, 'must not be given: the gateway answers in text');
  }
  const text = checkedMembers(Object.fromEntries(forms).text, `${FORMAT}.text`, TEXT_FORM);
  return toForm(text.mimeType, toJsonSchema(text.schema), `${FORMAT}.text.schema`);
}

function toForm(type: unknown, schema: unknown, param: string): AnswerForm {
  if (isAbsent(schema)) {
    const isJson = type === 'application/json' || type === 'APPLICATION_JSON';
    return { value: isJson ? { type: 'json_object' } : null, param };
  }
  if (!isJsonObject(schema)) {
    throw invalidField(param, 'must be a schema');
  }
  return { value: strictFormat(schema), param };
}
