import { type ToolCall } from '../../interfaces/chat-message.js';
import { type ArgumentSchema, type ValueSchema } from '../schema/argument-schema.js';
import { parseSourceNode, plainText, type SourceNode } from '../schema/source-node.js';

/** Markup of calls in a value, which could be taken for that of the call itself: such calls are written as JSON. */
const MARKUP = /<\/?(?:[a-z]+:)?(?:tool_|function|invoke|parameter)/;
/** Arguments above this length are not taken apart: their parts take far more memory than they do. */
const MAX_READ_CHARS = 256 * 1024;
/** Names that do not fit into a tag: empty, over 128 characters, with white space at an end, quotes or brackets. */
const UNFIT_NAME = /^\s|["'<>]|\s$|^$|^.{129}/s;

/**
 * Renders a call in the form in which the contract asks for calls: one tag for each parameter, values raw, numbers with
 * their digits. A call that would not be read back unchanged is rendered as JSON instead.
 * @param schema of the tool's arguments, if known, by which the values will be read back
 */
export function renderToolCall(
  { name, arguments: json }: ToolCall['function'],
  schema?: ArgumentSchema,
): string {
  if (json.length > MAX_READ_CHARS) {
    return asJson(name, json);
  }
  const node = parseSourceNode(json);
  if (node?.kind !== 'object') {
    return wrap(name, json);
  }
  const texts = node.members.map(({ key, value }) => parameterText(key, value, schema?.property(key)));
  const isRepeating = new Set(node.members.map(({ key }) => key)).size < node.members.length;
  if (UNFIT_NAME.test(name) || isRepeating || texts.includes(undefined)) {
    return asJson(name, json);
  }
  return wrap(name, texts.join('\n'));
}

function asJson(name: string, json: string): string {
  return `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${json}}\n</tool_call>`;
}

function wrap(name: string, body: string): string {
  return `<tool_call>\n<function=${name}>\n${body}\n</function>\n</tool_call>`;
}

/** Renders one parameter; undefined if it would not be read back unchanged. */
function parameterText(key: string, value: SourceNode, schema: ValueSchema | undefined): string | undefined {
  const text = valueText(value, schema);
  const isKept = schema === undefined || value.kind === 'string' || schema.fromText(text).json === value.text;
  return UNFIT_NAME.test(key) || MARKUP.test(text) || !isKept
    ? undefined
    : `<parameter=${key}>${layOut(text)}</parameter>`;
}

/** A line break behind the opening tag is layout, as is then the last one: text that begins with one gets both. */
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
