import { type Modality } from '../../common/config/model-table.js';

/** Part of a message's content on the wire. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** Content of a part other than text. */
export type MediaKind = Exclude<Modality, 'text'>;

/** Part other than text, as the caller sent it: only for upstreams that take it. */
export interface MediaPart {
  readonly type: 'image_url' | 'file' | 'input_audio' | 'video_url';
  readonly [member: string]: unknown;
}

export const MEDIA_KINDS: Readonly<Record<MediaPart['type'], MediaKind>> = {
  image_url: 'image',
  file: 'file',
  input_audio: 'audio',
  video_url: 'video',
};

export type ContentPart = TextPart | MediaPart;

export type MessageContent = string | readonly ContentPart[] | null | undefined;

/** A call on the wire. */
export interface ToolCall {
  readonly id: string;
  readonly type: 'function';
  /** `arguments` is the text of a JSON object, as the model wrote it. */
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A call of a custom tool on the wire. */
export interface CustomToolCall {
  readonly id: string;
  readonly type: 'custom';
  readonly custom: { readonly name: string; readonly input: string };
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

/**
 * The text of a message. Parts are joined without a separator, as clients of the format do; of what is no text its kind
 * is named.
 */
export function contentText(content: MessageContent): string {
  return typeof content === 'string'
    ? content
    : (content ?? []).map((part) => partText(part, (kind) => `[${kind}]`)).join('');
}

/** The calls of an assistant's message. Other roles have none: validation ignores their `tool_calls` unchecked. */
export function assistantCalls({ role, tool_calls }: ChatMessage): readonly ToolCall[] {
  return role === 'assistant' ? (tool_calls ?? []) : [];
}

/** The name and the arguments of a call as one text. */
export function callText({ function: { name, arguments: json } }: ToolCall): string {
  return name + json;
}

/** @param inPlaceOf placeholder of a part that is no text */
export function partText(part: ContentPart, inPlaceOf: (kind: string) => string): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image_url':
    case 'file':
    case 'input_audio':
    case 'video_url':
      return inPlaceOf(MEDIA_KINDS[part.type]);
  }
}

/** The parts of a content; an empty text has none, since strict upstreams refuse it as a part. */
export function contentParts(content: MessageContent): readonly ContentPart[] {
  if (typeof content === 'string') {
    return content === '' ? [] : [{ type: 'text', text: content }];
  }
  return content ?? [];
}

/** The parts of a content other than text. */
export function mediaParts(content: MessageContent): readonly MediaPart[] {
  return Array.isArray(content)
    ? (content as readonly ContentPart[]).filter((part): part is MediaPart => part.type in MEDIA_KINDS)
    : [];
}
