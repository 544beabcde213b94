import { hash } from 'node:crypto';
import { type Answer } from '../completion/answer.js';
import { type ChatMessage, contentText, type ToolCall } from '../interfaces/chat-message.js';
import { respelled } from '../tools/json/canonical-json.js';

/** Characters read of each text: enough to tell conversations apart, whatever they grow to. */
const READ_CHARS = 500;
/** Calls of an answer that are read: a request may bring thousands. */
const READ_CALLS = 8;
/** Hexadecimal digits of a conversation's id: 64 bits. */
const ID_DIGITS = 16;
/** Reasoning that a caller has put before the answer, as gptme and chat pages do. */
const REASONING = /^\s*<think>[^]*?<\/think>/;

/** An id, besides a tool's name, of servers that number the calls of each answer: `call_0`, `functions.read:0`. */
const NUMBERED = /^\D*\d{0,4}$/;

/** Place of a request in its conversation. */
interface TurnRecord {
  /** Digest of the caller, the user's first message and the first answer; `RequestIdentity` has another one. */
  readonly conversation: string;
  /** 1 for the request with the first answer. */
  readonly turn: number;
}

/**
 * The place of a request in its conversation. Its first answer tells a conversation from others that begin with the same
 * words, and stays the same however the history grows, on whichever gateway it is read. System texts are left out: agents
 * write the time into them. Undefined before there is an answer.
 *
 * @param key name of the caller's key
 * @param answer of this request, once it is complete
 */
export function turnRecord(
  key: string | undefined,
  messages: readonly ChatMessage[],
  answer?: Pick<Answer, 'text' | 'refusal' | 'toolCalls'>,
): TurnRecord | undefined {
  const first = messages.find(({ role }) => role === 'assistant');
  const signs = first ? signsOf(first.content, first.tool_calls) : signsOf(saidIn(answer), answer?.toolCalls);
  if (signs === '') {
    return undefined;
  }
  const asked = signsOf(messages.find(({ role }) => role === 'user')?.content);
  return {
    conversation: hash('sha256', JSON.stringify([key, asked, signs])).slice(0, ID_DIGITS),
    turn: 1 + messages.filter(({ role }) => role === 'assistant').length,
  };
}

/** As one text, which a refusal is in the history. */
function saidIn(answer: Pick<Answer, 'text' | 'refusal'> | undefined): string | undefined {
  return answer && `${answer.text}\n\n${answer.refusal}`;
}

/**
 * The ids of calls if there are any, since callers change the text beside them; else the answer without white space. Of ids
 * only letters and digits: OpenClaw gives them back without the rest, which some models refuse.
 */
function signsOf(content: ChatMessage['content'], calls: ChatMessage['tool_calls'] = []): string {
  if (calls && calls.length > 0) {
    return calls.slice(0, READ_CALLS).map(signOf).join(' ');
  }
  return contentText(content).replace(REASONING, '').trimStart().slice(0, READ_CHARS).replaceAll(/\s+/g, '');
}

/** An id that many conversations have tells nothing without the arguments. */
function signOf({ id, function: { name, arguments: json } }: ToolCall): string {
  const sign = plain(id);
  return NUMBERED.test(sign.replace(plain(name), '')) ? sign + respelled(json).slice(0, READ_CHARS) : sign;
}

function plain(word: string): string {
  return word.replaceAll(/[^a-z\d]/gi, '');
}
