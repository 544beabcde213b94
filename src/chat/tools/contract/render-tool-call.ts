import { type ToolCall } from '../../interfaces/chat-message.js';
import { type ArgumentSchema, type ValueSchema } from '../schema/argument-schema.js';
import { parseSourceNode, plainText, type SourceNode } from '../schema/source-node.js';

/** Markup of calls in a value, which only JSON keeps apart from that of the call itself. */
const MARKUP = /<\/?(?:[a-z]+:)?(?:tool_|function|invoke|parameter)/;
/** What the tags of a call cannot carry in a name. */
const UNFIT_NAME = /^\s|["'<>]|\s$|^$|^.{129}/s;

/**
 * A call in the form in which calls are asked for: values raw, one tag a parameter. Numbers keep their digits. A call
 * that would not be read again as the same is written as JSON instead.
 * @param schema of the tool's arguments, where it is known: says how the values will be read
 */
export function renderToolCall(
  { name, arguments: json }: ToolCall['function'],
  schema?: ArgumentSchema,
): string {
  const node = parseSourceNode(json);
  if (node?.kind !== 'object') {
    return wrap(name, json);
  }
  const texts = node.members.map(({ key, value }) => parameterText(key, value, schema?.property(key)));
  const isRepeating = new Set(node.members.map(({ key }) => key)).size < node.members.length;
  if (UNFIT_NAME.test(name) || isRepeating || texts.includes(undefined)) {
    return `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${json}}\n</tool_call>`;
  }
  return wrap(name, texts.join('\n'));
}

function wrap(name: string, body: string): string {
  return `<tool_call>\n<function=${name}>\n${body}\n</function>\n</tool_call>`;
}

/** Undefined if the value cannot be written so that it is read again. */
function parameterText(key: string, value: SourceNode, schema: ValueSchema | undefined): string | undefined {
  const text = valueText(value, schema);
  const isKept = schema === undefined || value.kind === 'string' || schema.fromText(text).json === value.text;
  return UNFIT_NAME.test(key) || MARKUP.test(text) || !isKept
    ? undefined
    : `<parameter=${key}>${layOut(text)}</parameter>`;
}

/** A line break right behind the tag is layout, and then so is the last one: text that begins with one needs both. */
function layOut(text: string): string {
  return /^\r?\n/.test(text) ? `\n${text}\n` : text;
}

function valueText(value: SourceNode, schema: ValueSchema | undefined): string {
  const text = plainText(value);
  if (value.kind !== 'string' || schema === undefined || schema.takesString) {
    return text;
  }
  const isMisread = (raw: string): boolean => schema.fromText(raw).json !== JSON.stringify(text);
  return isMisread(text) && !isMisread(value.text) ? value.text : text;
}
