import { type JsonObject } from '../../common/text/json-object.js';
import { isAbsent } from './wire-values.js';

/** Members of answers that no request has: clients send messages back as they were answered. */
const OF_ANSWERS = new Set(['annotations']);

/**
 * A message with the members that requests have: without those of answers, and without those that say nothing, as a dump
 * of a client's object has them. Strict servers refuse both. Members that are not known go on: some servers need theirs,
 * such as the signatures of thoughts, and one that refuses them tells.
 * @returns the message itself where nothing has to change
 */
export function requestMembers(message: JsonObject): JsonObject {
  const isFit = Object.entries(message).every(([name, value]) => !isOmitted(name, value));
  const fit = isFit
    ? message
    : Object.fromEntries(Object.entries(message).filter(([name, value]) => !isOmitted(name, value)));
  return message.role === 'assistant' ? withRefusalAsText(withKnownReasoning(fit)) : fit;
}

/** A `content` of null is what messages with calls have; no calls in an array are refused by OpenAI. */
function isOmitted(name: string, value: unknown): boolean {
  return (
    OF_ANSWERS.has(name) ||
    (name !== 'content' && isAbsent(value)) ||
    (name === 'tool_calls' && Array.isArray(value) && value.length === 0)
  );
}

/** Some servers call it `reasoning`, and clients send it back under that name. */
function withKnownReasoning(message: JsonObject): JsonObject {
  const { reasoning, ...rest } = message;
  return typeof reasoning === 'string' ? { reasoning_content: reasoning, ...rest } : message;
}

/** Most upstreams know no refusals, and the model must know what it said. */
function withRefusalAsText(message: JsonObject): JsonObject {
  const { refusal, ...rest } = message;
  if (typeof refusal !== 'string') {
    return message;
  }
  return refusal === '' ? rest : { ...rest, content: addText(rest.content, refusal) };
}

/** @param content not checked yet: what is none stays as it is */
function addText(content: unknown, text: string): unknown {
  if (Array.isArray(content)) {
    return [...(content as unknown[]), { type: 'text', text }];
  }
  if (isAbsent(content) || content === '') {
    return text;
  }
  return typeof content === 'string' ? `${content}\n\n${text}` : content;
}
