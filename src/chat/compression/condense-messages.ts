import { type ChatMessage, type ContentPart, contentText } from '../interfaces/chat-message.js';
import { type ToolDefinition } from '../interfaces/tool-definition.js';
import { type CondensedResults } from './condensed-results.js';
import { type ToolCallText } from './kit/tool-use.js';
import { opensFiles } from './protection/file-reads.js';
import { type AppliedRule, type CondensedResult, MIN_CHARS } from './tool-result-compressor.js';

/** A tool message before and after its results were condensed. */
export interface CondensedMessage {
  readonly index: number;
  /** Name of the tool; `tool` if no call of the conversation has the id of the result. */
  readonly tool: string;
  readonly rules: readonly AppliedRule[];
  /** Text of the message as the caller sent it, and as it goes upstream. */
  readonly before: string;
  readonly after: string;
}

export interface CondensedMessages {
  /** All messages, in order; unchanged ones are the same objects. */
  readonly messages: readonly ChatMessage[];
  readonly condensed: readonly CondensedMessage[];
}

/** Characters that are condensed in one go before other requests get a turn: some milliseconds of work. */
const SLICE_CHARS = 64 * 1024;

/** Characters from which a text is condensed in another thread: some tens of milliseconds of work. */
const LARGE_CHARS = 2 * SLICE_CHARS;

/** Cost of finding a text in the cache: this fraction of the cost of condensing it, since it is hashed only. */
const RECALL_SHARE = 16;

const UNKNOWN_TOOL: ToolCallText = { name: 'tool', arguments: '' };

/**
 * Condenses the tool results of a conversation.
 * @param tools that the caller offers; none if it is not known which it has
 * @param results cache of condensed results, shared by all requests
 * @param pause lets other requests have a turn; may throw to abort the work, for example because the caller has left
 */
export async function condenseMessages(
  messages: readonly ChatMessage[],
  tools: readonly ToolDefinition[],
  results: CondensedResults,
  pause: () => Promise<void>,
): Promise<CondensedMessages> {
  const calls = new Map<string, ToolCallText>();
  const changed: ChatMessage[] = [];
  const condensed: CondensedMessage[] = [];
  const slices = new Slices(results, pause);
  const isOnlyReader = tools.length > 0 && !opensFiles(tools.map((tool) => tool.function.name));
  for (const [index, message] of messages.entries()) {
    if (message.role === 'assistant') {
      message.tool_calls?.forEach((call) => calls.set(call.id, { ...call.function, isOnlyReader }));
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

/** The message with its text, or the texts of its parts, condensed; undefined if none became shorter. */
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
  const parts: ContentPart[] = [];
  const rules: AppliedRule[] = [];
  for (const part of content ?? []) {
    const result = part.type === 'text' ? await slices.condense(part.text, tool) : undefined;
    rules.push(...(result?.rules ?? []));
    parts.push(result && result.rules.length > 0 ? { ...part, text: result.text } : part);
  }
  return rules.length > 0 ? { message: { ...message, content: parts }, rules } : undefined;
}

/** Condenses texts one after the other, and pauses between them. */
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
    if (!known && text.length > LARGE_CHARS) {
      const result = await this.results.condenseLarge(text, tool);
      await this.pause();
      return result;
    }
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
