/** Wire shapes of the request's `messages`, after validation. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

export interface RefusalPart {
  readonly type: 'refusal';
  readonly refusal: string;
}

export type MessageContent = string | readonly (TextPart | RefusalPart)[] | null | undefined;

export interface ToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface ChatMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  readonly content?: MessageContent;
  readonly name?: string | null;
  readonly reasoning_content?: string | null;
  readonly tool_calls?: readonly ToolCall[] | null;
  readonly tool_call_id?: string;
}

/** The text of a message, parts joined as the format's own clients join them: without a separator. */
export function contentText(content: MessageContent): string {
  if (typeof content === 'string') {
    return content;
  }
  return (content ?? []).map((part) => (part.type === 'text' ? part.text : part.refusal)).join('');
}
