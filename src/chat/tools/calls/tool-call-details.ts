import { cutLength, keptText, type LogContent } from '../../../logs/records/log-content.js';
import { type RequestDetails, type ToolCallRecord } from '../../../logs/records/request-log-entry.js';
import { type Answer } from '../../completion/answer.js';
import { type ToolCall } from '../../interfaces/chat-message.js';
import { type ToolCallReport } from './tool-call-report.js';

const EMPTY_REPORT: ToolCallReport = { calls: [], notes: [] };

/** Tool calls of an answer and what was mended in them, for the log; empty if there are none. */
export function toolCallDetails(
  { toolCalls }: Answer,
  { calls, notes } = EMPTY_REPORT,
  mode: LogContent,
): RequestDetails {
  const repairs = new Map(calls.map((call) => [call.id, call.repairs]));
  return {
    ...(toolCalls.length > 0 && { toolCalls: toolCalls.map((call) => toRecord(call, repairs, mode)) }),
    ...(notes.length > 0 && { notes }),
  };
}

function toRecord(
  { id, function: { name, arguments: json } }: ToolCall,
  repairs: ReadonlyMap<string, readonly string[]>,
  mode: LogContent,
): ToolCallRecord {
  const kept = keptText(json, mode);
  return {
    id,
    name,
    ...(kept !== undefined && { arguments: kept, ...cutLength(json, mode) }),
    repairs: repairs.get(id) ?? [],
  };
}
