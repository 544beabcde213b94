import {
  type ChatMessage,
  type MediaPart,
  type MessageContent,
  type ToolCall,
} from '../../interfaces/chat-message.js';
import { toContent } from '../media/media-parts.js';

/** What the assistant said and called in one go, as one message. */
export function assistantMessage(
  content: MessageContent,
  reasoning: string,
  calls: readonly ToolCall[],
): ChatMessage {
  return {
    role: 'assistant',
    content: content === '' && calls.length > 0 ? null : content,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** One turn of a user whose parts may be results of tools, which become messages of their own; all stays in its order. */
export class UserTurn {
  private readonly found: ChatMessage[] = [];
  private pieces: (string | MediaPart)[] = [];

  say(pieces: readonly (string | MediaPart)[]): void {
    this.pieces.push(...pieces);
  }

  addResult(message: ChatMessage): void {
    this.endText();
    this.found.push(message);
  }

  messages(): readonly ChatMessage[] {
    this.endText();
    return this.found;
  }

  private endText(): void {
    if (this.pieces.length > 0) {
      this.found.push({ role: 'user', content: toContent(this.pieces) });
      this.pieces = [];
    }
  }
}
