import { isDeepStrictEqual } from 'node:util';
import { type ChatMessage, type ToolCall } from '../interfaces/chat-message.js';

/** A call that is made over and over. */
export interface RepeatedCall {
  readonly name: string;
  readonly times: number;
}

/** Twice can be a retry with a purpose. */
const LEAST_TIMES = 3;

type MadeCall = ToolCall['function'];

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
  const earlier = turnsSinceUser(messages);
  let found: RepeatedCall | undefined;
  for (const { function: call } of calls) {
    const times = timesIn(calls, call) + timesInARow(earlier, call);
    if (times >= LEAST_TIMES && times > (found?.times ?? 0)) {
      found = { name: call.name, times };
    }
  }
  return found;
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

function timesInARow(turns: readonly (readonly ToolCall[])[], call: MadeCall): number {
  let total = 0;
  for (const turn of turns) {
    const times = timesIn(turn, call);
    if (times === 0) {
      break;
    }
    total += times;
  }
  return total;
}

function timesIn(turn: readonly ToolCall[], call: MadeCall): number {
  return turn.filter(({ function: made }) => isSame(made, call)).length;
}

/** Agents write the arguments of past calls anew, with other spaces and in another order. */
function isSame(call: MadeCall, other: MadeCall): boolean {
  return (
    call.name === other.name &&
    (call.arguments === other.arguments || isDeepStrictEqual(parsed(call.arguments), parsed(other.arguments)))
  );
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
