import { invalidField } from '../../dto/wire-values.js';
import {
  type ChatMessage,
  type RefusalPart,
  type TextPart,
  type ToolCall,
} from '../../interfaces/chat-message.js';
import { type InputItem } from './input-items.validator.js';
import { functionName } from './response-tools.js';

/** The items of a conversation, validated. */
export interface ConversationItems {
  readonly instructions?: string | null;
  /** Of the responses before. */
  readonly previous: readonly InputItem[];
  /** Of this request. */
  readonly input: readonly InputItem[];
}

/**
 * Turns items into messages. What the assistant did in one go (reasoning, text, calls) becomes one message, since
 * upstreams want the results of calls right after the message with the calls.
 * @throws InvalidRequestError for the output of a call that the conversation does not hold
 */
export function toChatMessages({ instructions, previous, input }: ConversationItems): readonly ChatMessage[] {
  const writer = new MessageWriter();
  if (instructions) {
    writer.add({ role: 'system', content: instructions });
  }
  previous.forEach((item) => writer.take(item, 'previous_response_id'));
  input.forEach((item, index) => writer.take(item, `input[${index}].call_id`));
  return writer.end();
}

interface AssistantTurn {
  content: string | (TextPart | RefusalPart)[] | null;
  reasoning: string;
  readonly calls: ToolCall[];
}

class MessageWriter {
  private readonly messages: ChatMessage[] = [];
  private readonly callIds = new Set<string>();
  private turn: AssistantTurn | undefined;

  add(message: ChatMessage): void {
    this.endTurn();
    this.messages.push(message);
  }

  /** @param param at fault if the item answers no call */
  take(item: InputItem, param: string): void {
    switch (item.type) {
      case 'reasoning':
        this.takeReasoning(item);
        break;
      case 'function_call':
        this.takeCall(item, item.arguments as string);
        break;
      case 'custom_tool_call':
        this.takeCall(item, JSON.stringify({ input: item.input }));
        break;
      case 'function_call_output':
      case 'custom_tool_call_output':
        this.takeOutput(item, param);
        break;
      default:
        this.takeMessage(item);
    }
  }

  end(): readonly ChatMessage[] {
    this.endTurn();
    return this.messages;
  }

  private takeMessage({ role, content }: InputItem): void {
    const text = toContent(content);
    if (role !== 'assistant') {
      // Many upstreams know no developer; both are rendered alike.
      this.add({ role: role === 'user' ? 'user' : 'system', content: text });
      return;
    }
    if (this.turn && this.turn.content !== null && this.turn.calls.length === 0) {
      this.endTurn();
    }
    const turn = (this.turn ??= newTurn());
    turn.content = turn.content === null ? text : [...toParts(turn.content), ...toParts(text)];
  }

  private takeReasoning({ summary, content }: InputItem): void {
    const parts = [...((summary as TextPart[] | null) ?? []), ...((content as TextPart[] | null) ?? [])];
    // It comes before what it led to; but parallel calls must stay together.
    if (this.turn && this.turn.content !== null && this.turn.calls.length === 0) {
      this.endTurn();
    }
    const turn = (this.turn ??= newTurn());
    turn.reasoning = [turn.reasoning, ...parts.map(({ text }) => text)].filter(Boolean).join('\n\n');
  }

  private takeCall({ call_id: id, name, namespace }: InputItem, json: string): void {
    this.callIds.add(id as string);
    (this.turn ??= newTurn()).calls.push({
      id: id as string,
      type: 'function',
      function: { name: functionName(name as string, namespace), arguments: json },
    });
  }

  private takeOutput({ call_id: id, output }: InputItem, param: string): void {
    if (!this.callIds.has(id as string)) {
      throw invalidField(param, 'must be the id of a tool call before it');
    }
    this.add({ role: 'tool', tool_call_id: id as string, content: toContent(output) });
  }

  private endTurn(): void {
    const { turn } = this;
    this.turn = undefined;
    if (turn && (turn.content !== null || turn.calls.length > 0)) {
      this.messages.push({
        role: 'assistant',
        content: turn.content,
        ...(turn.reasoning !== '' && { reasoning_content: turn.reasoning }),
        ...(turn.calls.length > 0 && { tool_calls: turn.calls }),
      });
    }
  }
}

function newTurn(): AssistantTurn {
  return { content: null, reasoning: '', calls: [] };
}

/** A text as such where it is one part, since every upstream takes that. */
function toContent(content: unknown): string | (TextPart | RefusalPart)[] {
  if (typeof content === 'string') {
    return content;
  }
  const parts = (content as readonly { type: string; text: string; refusal: string }[]).map(
    ({ type, text, refusal }): TextPart | RefusalPart =>
      type === 'refusal' ? { type, refusal } : { type: 'text', text },
  );
  const [first] = parts;
  return parts.length === 1 && first?.type === 'text' ? first.text : parts;
}

function toParts(content: string | (TextPart | RefusalPart)[]): (TextPart | RefusalPart)[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}
