import { type ChatMessage, type ToolCall } from '../interfaces/chat-message.js';
import { newestOwnMessage } from '../interfaces/own-message.js';
import { respelled } from './json/canonical-json.js';

/** A call that was made several times in a row. */
export interface RepeatedCall {
  readonly name: string;
  readonly times: number;
}

/** Calls in a row that count as repeated; two can be a deliberate retry. */
const MIN_TIMES = 3;

/**
 * Finds the call that was made most often in a row with the same arguments: in the latest answer and in each answer
 * before it, back to the newest message of the user's own. For the log, because an agent may loop within its own limits.
 * @param calls of the answer to `messages`
 * @returns undefined if no call was made three times
 */
export function findRepeatedCall(
  messages: readonly ChatMessage[],
  calls: readonly ToolCall[],
): RepeatedCall | undefined {
  const found = countCalls(calls);
  const inRow = new Map(found);
  for (const turn of turnsSinceUser(messages)) {
    if (inRow.size === 0) {
      break;
    }
    const made = countCalls(turn);
    for (const [key, call] of inRow) {
      const { times } = made.get(key) ?? { times: 0 };
      call.times += times;
      if (times === 0) {
        inRow.delete(key);
      }
    }
  }
  const often = [...found.values()].filter(({ times }) => times >= MIN_TIMES);
  return often.sort((a, b) => b.times - a.times)[0];
}

/** The calls of each answer since the newest message of the user's own, latest first. */
function turnsSinceUser(messages: readonly ChatMessage[]): (readonly ToolCall[])[] {
  return messages
    .slice(newestOwnMessage(messages) + 1)
    .filter(({ role }) => role === 'assistant')
    .map(({ tool_calls }) => tool_calls ?? [])
    .reverse();
}

interface CountedCall {
  readonly name: string;
  times: number;
}

/** Counts equal calls of one answer by name and arguments, in linear time: an answer can hold thousands. */
function countCalls(turn: readonly ToolCall[]): Map<string, CountedCall> {
  const counts = new Map<string, CountedCall>();
  for (const { function: call } of turn) {
    const { name } = call;
    const key = `${name} ${respelled(call.arguments)}`;
    counts.set(key, { name, times: (counts.get(key)?.times ?? 0) + 1 });
  }
  return counts;
}
