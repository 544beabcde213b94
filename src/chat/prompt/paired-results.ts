import { isDeepStrictEqual } from 'node:util';
import { assistantCalls, type ChatMessage, type MessageContent } from '../interfaces/chat-message.js';

const LEAD = 'Result of an earlier tool call:';
const NO_RESULT = 'No result: the call was not finished.';

/** A message, and the results of its calls as far as they have come. */
interface Turn {
  readonly message: ChatMessage;
  readonly results: ChatMessage[];
  /** How many results each id of its calls still lacks. */
  readonly lacking: Map<string, number>;
}

/**
 * A conversation for an upstream that knows tools, which takes calls only with one result each right behind them. Users
 * interrupt calls or speak before these end, and callers that shorten their histories cut between the two. So a result
 * that comes late moves to its call, a call without a result gets one that says so, and results without a call of their
 * own are said by the user. Callers that give all results again in each turn are heard once. The conversation itself if
 * nothing of that is needed.
 */
export function withPairedResults(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  if (!messages.some((message) => message.role === 'tool' || assistantCalls(message).length > 0)) {
    return messages;
  }
  const turns: Turn[] = [];
  // Some callers begin with the same ids in each turn, so the latest call counts.
  const latest = new Map<string, Turn>();
  const answers = new Map<string, MessageContent>();
  for (const message of messages) {
    if (message.role === 'tool') {
      const { tool_call_id: id = '', content } = message;
      const caller = takeCaller(latest, id);
      if (caller) {
        caller.results.push(message);
        answers.set(id, content);
      } else if (!isDeepStrictEqual(answers.get(id), content)) {
        turns.push(turnOf({ role: 'user', content: asText(content) }));
      }
      continue;
    }
    const turn = turnOf(message);
    turns.push(turn);
    for (const id of turn.lacking.keys()) {
      latest.set(id, turn);
    }
  }
  const paired = turns.flatMap((turn) => [turn.message, ...turn.results, ...missingResults(turn)]);
  const isSame =
    paired.length === messages.length && paired.every((message, index) => message === messages[index]);
  return isSame ? messages : paired;
}

function turnOf(message: ChatMessage): Turn {
  const lacking = new Map<string, number>();
  for (const { id } of assistantCalls(message)) {
    lacking.set(id, (lacking.get(id) ?? 0) + 1);
  }
  return { message, results: [], lacking };
}

/** The turn whose call lacks a result with this id, which it then lacks no more. */
function takeCaller(latest: ReadonlyMap<string, Turn>, id: string): Turn | undefined {
  const turn = latest.get(id);
  const count = turn?.lacking.get(id) ?? 0;
  if (count === 0) {
    return undefined;
  }
  turn?.lacking.set(id, count - 1);
  return turn;
}

function missingResults({ lacking }: Turn): ChatMessage[] {
  return [...lacking].flatMap(([id, count]) =>
    Array.from({ length: count }, () => ({ role: 'tool' as const, tool_call_id: id, content: NO_RESULT })),
  );
}

function asText(content: MessageContent): MessageContent {
  return typeof content === 'string'
    ? `${LEAD}\n\n${content}`
    : [{ type: 'text', text: LEAD }, ...(content ?? [])];
}
