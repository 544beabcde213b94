import { type ToolCall } from '../interfaces/chat-message.js';
import { type ArgumentSchema, type ValueSchema } from '../tools/schema/argument-schema.js';
import { type JsonNode, parseJsonNode, plainText } from '../tools/schema/json-node.js';

/**
 * A call in the form in which calls are asked for: values raw, one tag a parameter. Numbers keep their digits.
 * @param schema of the tool's arguments, where it is known: says which strings need quotes to be read as strings
 */
export function renderToolCall(
  { name, arguments: json }: ToolCall['function'],
  schema?: ArgumentSchema,
): string {
  const node = parseJsonNode(json);
  const body =
    node?.kind === 'object'
      ? node.members
          .map(
            ({ key, value }) =>
              `<parameter=${key}>${layOut(valueText(value, schema?.property(key)))}</parameter>`,
          )
          .join('\n')
      : json;
  return `<tool_call>\n<function=${name}>\n${body}\n</function>\n</tool_call>`;
}

/** A line break right behind the tag is layout, and then so is the last one: text that begins with one needs both. */
function layOut(text: string): string {
  return /^\r?\n/.test(text) ? `\n${text}\n` : text;
}

function valueText(value: JsonNode, schema: ValueSchema | undefined): string {
  const text = plainText(value);
  if (value.kind !== 'string' || schema === undefined || schema.takesString) {
    return text;
  }
  const isMisread = (raw: string): boolean => schema.fromText(raw).json !== JSON.stringify(text);
  return isMisread(text) && !isMisread(value.text) ? value.text : text;
}
