/** Part of a message's content on the wire. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** Part of an assistant's content on the wire. */
export interface RefusalPart {
  readonly type: 'refusal';
  readonly refusal: string;
}

export type MessageContent = string | readonly (TextPart | RefusalPart)[] | null | undefined;

/** A call on the wire. */
export interface ToolCall {
  readonly id: string;
  readonly type: 'function';
  /** `arguments` is the text of a JSON object, as the model wrote it. */
  readonly function: { readonly name: string; readonly arguments: string };
}

/** Element of the request's `messages`, after validation. */
export interface ChatMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  readonly content?: MessageContent;
  readonly name?: string | null;
  /** Only on messages of the assistant. */
  readonly reasoning_content?: string | null;
  /** Only on messages of the assistant. */
  readonly tool_calls?: readonly ToolCall[] | null;
  /** The call that a message of role `tool` answers. */
  readonly tool_call_id?: string;
}

/** The text of a message. Parts are joined without a separator, as clients of the format do. */
export function contentText(content: MessageContent): string {
  if (typeof content === 'string') {
    return content;
  }
  return (content ?? []).map((part) => (part.type === 'text' ? part.text : part.refusal)).join('');
}
