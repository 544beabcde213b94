import { assistantMessage } from '../../chat/dto/calls/turns.js';
import { carriedText } from '../../chat/dto/carried-text.js';
import { readPart } from '../../chat/dto/content-parts.js';
import { customArguments } from '../../chat/dto/custom-tools.js';
import { type MediaPlace, type TakesMedia, TEXT_ONLY, toContent } from '../../chat/dto/media/media-parts.js';
import { withMediaBehindResults } from '../../chat/dto/media/shown-media.js';
import { invalidField } from '../../chat/dto/wire-values.js';
import {
  type ChatMessage,
  type MediaPart,
  type TextPart,
  type ToolCall,
} from '../../chat/interfaces/chat-message.js';
import { mediaRefusedAt, type UserMessages } from '../../chat/interfaces/own-message.js';
import { type JsonObject } from '../../common/text/json-object.js';
import { BuiltInCalls, isBuiltIn } from './built-in-calls.js';
import { asksForSummary, isCompaction, SUMMARY_REQUEST, summaryMessage } from './compaction.js';
import { type InputItem, isOmitted, TEXT_PARTS } from './input-items.validator.js';
import { functionName } from './response-tools.js';

const OUTPUTS = new Set(['function_call_output', 'custom_tool_call_output']);

/** The items of a conversation, validated. */
export interface ConversationItems {
  readonly instructions?: string | null;
  /** Of the responses before. */
  readonly previous: readonly InputItem[];
  /** Of this request. */
  readonly input: readonly InputItem[];
  readonly takes?: TakesMedia;
}

/**
 * Turns items into messages. What the assistant did in one go (reasoning, text, calls) becomes one message, since
 * upstreams want the results of calls right after the message with the calls.
 * @throws InvalidRequestError for a part that cannot go on, or no message at all
 */
export function toChatMessages(items: ConversationItems): readonly ChatMessage[] {
  const { instructions, previous, input, takes = TEXT_ONLY } = items;
  const writer = new MessageWriter(takes);
  if (instructions) {
    writer.add({ role: 'system', content: instructions });
  }
  const builtIn = new BuiltInCalls();
  for (const item of previous.map((one) => toldItem(one, builtIn))) {
    if (item) {
      writer.take(item, { param: 'previous_response_id', refusesMedia: false });
    }
  }
  const told = input.map((one) => toldItem(one, builtIn));
  const refusedAt = mediaRefusedAt(told, USER_ITEMS);
  for (const [index, item] of told.entries()) {
    if (item) {
      writer.take(item, { param: `input[${index}]`, refusesMedia: index === refusedAt });
    }
  }
  const messages = writer.end();
  if (messages.length === (instructions ? 1 : 0)) {
    throw invalidField('input', 'must hold a message or the output of a tool');
  }
  return asksForSummary(input) ? [...messages, { role: 'user', content: SUMMARY_REQUEST }] : messages;
}

/** Types of items that set how the model answers. */
const UNSAID = new Set(['additional_tools', 'configuration_update']);

/** The item as the model is told of it, undefined if it is not. */
function toldItem(item: InputItem, builtIn: BuiltInCalls): InputItem | undefined {
  if (isOmitted(item) || UNSAID.has(item.type)) {
    return undefined;
  }
  if (isCompaction(item)) {
    return summaryMessage(item);
  }
  // Of one agent to another, which is to do what it says.
  if (item.type === 'agent_message') {
    return { ...item, type: 'message', role: 'user' };
  }
  return isBuiltIn(item.type) ? builtIn.toFunctionItem(item) : item;
}

/** Items of which the model is not told stand between as if they were not there. */
const USER_ITEMS: UserMessages<InputItem | undefined> = {
  isOfUser: (item) => item?.type === 'message' && item.role === 'user',
  hasResults: (input, index) => OUTPUTS.has(input.findLast((item, at) => at < index && item)?.type ?? ''),
};

/** Position of an item. */
type ItemPlace = Pick<MediaPlace, 'param' | 'refusesMedia'>;

/** A text, or something else. */
type ContentPiece = string | MediaPart;

/** What the assistant did so far; put together at its end, since it may have thousands of items. */
interface AssistantTurn {
  readonly pieces: ContentPiece[];
  readonly reasoning: string[];
  readonly calls: ToolCall[];
}

class MessageWriter {
  private readonly messages: ChatMessage[] = [];
  private turn: AssistantTurn | undefined;

  constructor(private readonly takes: TakesMedia) {}

  add(message: ChatMessage): void {
    this.endTurn();
    this.messages.push(message);
  }

  take(item: InputItem, place: ItemPlace): void {
    switch (item.type) {
      case 'reasoning':
        this.takeReasoning(item);
        break;
      case 'function_call':
        this.takeCall(item, item.arguments as string);
        break;
      case 'custom_tool_call':
        this.takeCall(item, customArguments(item.input));
        break;
      case 'function_call_output':
      case 'custom_tool_call_output':
        this.takeOutput(item, place);
        break;
      default:
        this.takeMessage(item, place);
    }
  }

  end(): readonly ChatMessage[] {
    this.endTurn();
    return withMediaBehindResults(this.messages);
  }

  private takeMessage({ role, content }: InputItem, { param, refusesMedia }: ItemPlace): void {
    const pieces = toPieces(content, { param: `${param}.content`, refusesMedia, takes: this.takes });
    if (role !== 'assistant') {
      // Many upstreams know no developer; both are rendered alike.
      this.add({ role: role === 'user' ? 'user' : 'system', content: toContent(pieces) });
      return;
    }
    const turn = this.unsaidTurn();
    (pieces.length > 0 ? pieces : ['']).forEach((piece) => turn.pieces.push(piece));
  }

  private takeReasoning({ summary, content, encrypted_content: carried }: InputItem): void {
    const parts = [...((summary as TextPart[] | null) ?? []), ...((content as TextPart[] | null) ?? [])];
    const texts = parts.length > 0 ? parts.map(({ text }) => text) : [carriedText(carried)];
    // It comes before what it led to.
    const turn = this.unsaidTurn();
    texts.forEach((text) => turn.reasoning.push(text));
  }

  private takeCall({ call_id: id, name, namespace }: InputItem, json: string): void {
    (this.turn ??= newTurn()).calls.push({
      id: id as string,
      type: 'function',
      function: { name: functionName(name as string, namespace), arguments: json },
    });
  }

  private takeOutput({ call_id: id, output }: InputItem, { param }: ItemPlace): void {
    const pieces = toPieces(output, { param: `${param}.output`, refusesMedia: false, takes: this.takes });
    this.add({
      role: 'tool',
      ...(typeof id === 'string' && { tool_call_id: id }),
      content: toContent(pieces),
    });
  }

  /** The turn, or the next one if this one has a text already; but parallel calls must stay together. */
  private unsaidTurn(): AssistantTurn {
    if (this.turn && this.turn.pieces.length > 0 && this.turn.calls.length === 0) {
      this.endTurn();
    }
    return (this.turn ??= newTurn());
  }

  private endTurn(): void {
    const { pieces = [], reasoning = [], calls = [] } = this.turn ?? {};
    this.turn = undefined;
    if (pieces.length > 0 || calls.length > 0) {
      const thoughts = reasoning.filter(Boolean).join('\n\n');
      this.messages.push(assistantMessage(toContent(pieces), thoughts, calls));
    }
  }
}

function newTurn(): AssistantTurn {
  return { pieces: [], reasoning: [], calls: [] };
}

function toPieces(content: unknown, place: MediaPlace): readonly ContentPiece[] {
  return typeof content === 'string'
    ? [content]
    : (content as readonly JsonObject[]).map((part, at) =>
        toPiece(part, { ...place, param: `${place.param}[${at}]` }),
      );
}

/**
 * Texts have members of their own here: most upstreams know no refusals, and the model must know what it said. All else is
 * read as in a chat completion, in whose forms clients send it as well.
 * @param part checked already, as far as it is a text
 */
function toPiece(part: JsonObject, { param, ...rules }: MediaPlace): ContentPiece {
  const key = TEXT_PARTS.get(part.type as string);
  if (key !== undefined) {
    return part[key] as string;
  }
  const read = readPart(part, () => param, { ...rules, isAssistant: false });
  return read.type === 'text' ? read.text : read;
}
