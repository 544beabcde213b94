import { type RequestDetails } from '../../logs/logs.service.js';
import { keptText, type LogContent } from '../../logs/records/log-content.js';
import { type ToolCallRecord } from '../../logs/records/request-log-entry.js';
import { type Answer } from '../completion/answer.js';
import { type ChatMessage, type ToolCall } from '../interfaces/chat-message.js';
import { type ToolCallReport } from '../tools/calls/tool-call-report.js';
import { findRepeatedCall } from '../tools/repeated-call.js';

const NOTHING: ToolCallReport = { calls: [], notes: [] };

/** What the log says of the tool calls of an answer to `messages`; nothing if there are none. */
export function toolCallDetails(
  messages: readonly ChatMessage[],
  { toolCalls }: Answer,
  report: ToolCallReport = NOTHING,
  mode: LogContent,
): RequestDetails {
  const { notes, calls } = report;
  const repairs = new Map(calls.map((call) => [call.id, call.repairs]));
  const repeatedCall = findRepeatedCall(messages, toolCalls);
  return {
    ...(toolCalls.length > 0 && { toolCalls: toolCalls.map((call) => toRecord(call, repairs, mode)) }),
    ...(repeatedCall && { repeatedCall }),
    ...(notes.length > 0 && { notes }),
  };
}

function toRecord(
  { id, function: { name, arguments: json } }: ToolCall,
  repairs: ReadonlyMap<string, readonly string[]>,
  mode: LogContent,
): ToolCallRecord {
  const kept = keptText(json, mode);
  return { id, name, ...(kept !== undefined && { arguments: kept }), repairs: repairs.get(id) ?? [] };
}
