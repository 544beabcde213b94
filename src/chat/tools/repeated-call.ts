import { type ChatMessage, type ToolCall } from '../interfaces/chat-message.js';

/** A call that is made over and over. */
export interface RepeatedCall {
  readonly name: string;
  readonly times: number;
}

/** Twice can be a retry with a purpose. */
const LEAST_TIMES = 3;

/**
 * Finds the call that has been made most often in a row: with the same arguments, by each answer since the last message
 * of the user, up to and with the latest. For the log: an agent may be in a loop that its own limits do not see.
 * @param calls those of the answer to `messages`
 * @returns undefined for fewer than three times
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
  const often = [...found.values()].filter(({ times }) => times >= LEAST_TIMES);
  return often.sort((a, b) => b.times - a.times)[0];
}

/** The calls of each answer since the last message of the user, latest first. */
function turnsSinceUser(messages: readonly ChatMessage[]): (readonly ToolCall[])[] {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  return messages
    .slice(lastUser + 1)
    .filter(({ role }) => role === 'assistant')
    .map(({ tool_calls }) => tool_calls ?? [])
    .reverse();
}

interface CountedCall {
  readonly name: string;
  times: number;
}

/** By what the calls say: a model can make thousands, too many to compare each with each. */
function countCalls(turn: readonly ToolCall[]): Map<string, CountedCall> {
  const counts = new Map<string, CountedCall>();
  for (const { function: call } of turn) {
    const { name } = call;
    const key = `${name} ${canonical(call.arguments)}`;
    counts.set(key, { name, times: (counts.get(key)?.times ?? 0) + 1 });
  }
  return counts;
}

/** Agents write the arguments of past calls anew, with other spaces and in another order. */
function canonical(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), (_key, value: unknown) =>
      isRecord(value) ? sorted(value) : value,
    );
  } catch {
    // No JSON, or nested too deeply to be written.
    return json;
  }
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
