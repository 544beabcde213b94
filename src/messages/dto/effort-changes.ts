import { isAbsent } from '../../chat/dto/wire-values.js';
import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';

/** Whether a message of the system sets the effort from there on. Such a one needs no content. */
export function setsEffort({ role, output_config: config }: JsonObject): boolean {
  return role === 'system' && isJsonObject(config) && !isAbsent(config.effort);
}

/**
 * The effort that the conversation has set for the answer: the last that stands before the user's latest words or right
 * behind them. Results of tools are no words, so that an effort set among them waits for the next words.
 * @param messages not checked
 */
export function effortSetBy(messages: unknown): unknown {
  const each: readonly unknown[] = Array.isArray(messages) ? messages : [];
  const latest = each.findLastIndex(isInput);
  const next = each.findIndex((message, index) => index > latest && !isOfSystem(message));
  const change = each
    .slice(0, next < 0 ? each.length : next)
    .findLast((message) => isJsonObject(message) && setsEffort(message));
  return isJsonObject(change) ? (change.output_config as JsonObject).effort : undefined;
}

function isOfSystem(message: unknown): boolean {
  return isJsonObject(message) && message.role === 'system';
}

function isInput(message: unknown): boolean {
  if (!isJsonObject(message) || message.role !== 'user') {
    return false;
  }
  const { content } = message;
  return !(
    Array.isArray(content) &&
    content.every((block: unknown) => isJsonObject(block) && block.type === 'tool_result')
  );
}
