import { type ChatMessage, contentText, type TextPart } from '../interfaces/chat-message.js';
import { type CondensedResults } from './condensed-results.js';
import { type ToolCallText } from './kit/tool-use.js';
import { type AppliedRule, type CondensedResult, MIN_CHARS } from './tool-result-compressor.js';

/** What was done to one message. */
export interface CondensedMessage {
  readonly index: number;
  /** Name of the tool, `tool` when no call is known for the result. */
  readonly tool: string;
  readonly rules: readonly AppliedRule[];
  /** Text of the message as it came, and as it goes upstream. */
  readonly before: string;
  readonly after: string;
}

export interface CondensedMessages {
  /** Messages that were not changed are the same objects. */
  readonly messages: readonly ChatMessage[];
  readonly condensed: readonly CondensedMessage[];
}

/** Characters that are condensed before others get a turn: some milliseconds. */
const SLICE_CHARS = 64 * 1024;

/** Finding a text among those condensed before costs so much less than condensing it. */
const RECALL_SHARE = 16;

const UNKNOWN_TOOL: ToolCallText = { name: 'tool', arguments: '' };

/**
 * Condenses the tool results of a conversation.
 * @param results what was condensed before, shared by requests
 * @param pause gives others a turn; what it throws, say because the caller has left, ends the work
 */
export async function condenseMessages(
  messages: readonly ChatMessage[],
  results: CondensedResults,
  pause: () => Promise<void>,
): Promise<CondensedMessages> {
  const calls = new Map<string, ToolCallText>();
  const changed: ChatMessage[] = [];
  const condensed: CondensedMessage[] = [];
  const slices = new Slices(results, pause);
  for (const [index, message] of messages.entries()) {
    if (message.role === 'assistant') {
      message.tool_calls?.forEach((call) => calls.set(call.id, call.function));
    }
    const tool = calls.get(message.tool_call_id ?? '') ?? UNKNOWN_TOOL;
    const outcome = message.role === 'tool' ? await condenseMessage(message, tool, slices) : undefined;
    changed.push(outcome?.message ?? message);
    if (outcome) {
      condensed.push({
        index,
        tool: tool.name,
        rules: outcome.rules,
        before: contentText(message.content),
        after: contentText(outcome.message.content),
      });
    }
  }
  return { messages: condensed.length > 0 ? changed : messages, condensed };
}

interface ChangedMessage {
  readonly message: ChatMessage;
  readonly rules: readonly AppliedRule[];
}

/** The message with its texts condensed, part by part; undefined when none became shorter. */
async function condenseMessage(
  message: ChatMessage,
  tool: ToolCallText,
  slices: Slices,
): Promise<ChangedMessage | undefined> {
  const { content } = message;
  if (typeof content === 'string') {
    const { text, rules } = await slices.condense(content, tool);
    return rules.length > 0 ? { message: { ...message, content: text }, rules } : undefined;
  }
  const parts: Exclude<ChatMessage['content'], string | null | undefined>[number][] = [];
  const rules: AppliedRule[] = [];
  for (const part of content ?? []) {
    const result = part.type === 'text' ? await slices.condense(part.text, tool) : undefined;
    rules.push(...(result?.rules ?? []));
    parts.push(result && result.rules.length > 0 ? ({ ...part, text: result.text } as TextPart) : part);
  }
  return rules.length > 0 ? { message: { ...message, content: parts }, rules } : undefined;
}

/** Condenses one text after another and lets others in between. */
class Slices {
  private chars = 0;

  constructor(
    private readonly results: CondensedResults,
    private readonly pause: () => Promise<void>,
  ) {}

  async condense(text: string, tool: ToolCallText): Promise<CondensedResult> {
    if (text.length < MIN_CHARS) {
      return { text, rules: [] };
    }
    const known = this.results.recall(text, tool);
    await this.spend(known ? text.length / RECALL_SHARE : text.length);
    return known ?? this.results.condense(text, tool);
  }

  private async spend(chars: number): Promise<void> {
    if (this.chars > 0 && this.chars + chars > SLICE_CHARS) {
      this.chars = 0;
      await this.pause();
    }
    this.chars += chars;
  }
}
