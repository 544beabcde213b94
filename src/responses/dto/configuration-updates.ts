import { invalidField, isAbsent } from '../../chat/dto/wire-values.js';
import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';
import { CreateResponseDto } from './create-response.dto.js';
import { readTextFormat } from './text-format.js';

/** @throws InvalidRequestError for an item `configuration_update` that sets what is not known */
export function validateUpdate({ reasoning, text }: JsonObject, param: string): void {
  if (!isAbsent(reasoning)) {
    const effort = isJsonObject(reasoning) ? reasoning.effort : undefined;
    if (!isJsonObject(reasoning) || !(isAbsent(effort) || typeof effort === 'string')) {
      throw invalidField(`${param}.reasoning.effort`, 'must be a string');
    }
  }
  if (!isAbsent(text)) {
    readTextFormat(isJsonObject(text) ? text.format : undefined, `${param}.text.format`);
  }
}

/**
 * The request with what the items of its conversation have set, which stands above its own fields: each setting holds until
 * an item sets it anew.
 * @param items of the whole conversation, validated
 */
export function withUpdates(dto: CreateResponseDto, items: readonly JsonObject[]): CreateResponseDto {
  const updates = items.filter(({ type }) => type === 'configuration_update');
  const reasoning = lastOf(updates, 'reasoning');
  const text = lastOf(updates, 'text');
  if (reasoning === undefined && text === undefined) {
    return dto;
  }
  return Object.assign(new CreateResponseDto(), dto, {
    reasoning: { ...dto.reasoning, ...reasoning },
    text: { ...dto.text, ...text },
  });
}

function lastOf(updates: readonly JsonObject[], setting: 'reasoning' | 'text'): JsonObject | undefined {
  return updates.findLast((update) => !isAbsent(update[setting]))?.[setting] as JsonObject | undefined;
}
