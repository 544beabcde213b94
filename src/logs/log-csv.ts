import { toCsv } from '../common/text/csv.js';
import { type LogRecord } from './records/log-filter.js';
import { type NetworkRecord } from './records/network-record.js';
import { type RequestLogEntry } from './records/request-log-entry.js';

type Cell = string | number | boolean | undefined;
type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

const REQUEST: Columns<RequestLogEntry> = {
  started_at: ({ startedAt }) => time(startedAt),
  id: ({ id }) => id,
  method: ({ method }) => method,
  path: ({ path }) => path,
  outcome: ({ outcome }) => outcome,
  status: ({ status }) => status,
  reason: ({ error }) => error?.reason,
  message: ({ error }) => error?.message,
  cause: ({ error }) => error?.cause,
  key: ({ key }) => key,
  client: ({ client }) => client,
  model: ({ model }) => model,
  account: ({ account }) => account,
  node: ({ node }) => node,
  stream: ({ stream }) => stream,
  attempts: ({ attempts }) => attempts?.length,
  received_ms: ({ receivedMs }) => receivedMs,
  queued_ms: ({ queuedMs }) => queuedMs,
  first_token_ms: ({ firstTokenMs }) => firstTokenMs,
  total_ms: ({ totalMs }) => totalMs,
  prompt_tokens: ({ usage }) => usage?.promptTokens,
  completion_tokens: ({ usage }) => usage?.completionTokens,
  reasoning_tokens: ({ usage }) => usage?.reasoningTokens,
  cached_tokens: ({ usage }) => usage?.cachedTokens,
  finish_reason: ({ finishReason }) => finishReason,
  conversation: ({ conversation }) => conversation,
  turn: ({ turn }) => turn,
  excerpt: ({ excerpt }) => excerpt,
};

const EXCHANGE: Columns<NetworkRecord> = {
  started_at: ({ startedAt }) => time(startedAt),
  id: ({ id }) => id,
  request_id: ({ requestId }) => requestId,
  account: ({ account }) => account,
  node: ({ node }) => node,
  method: ({ method }) => method,
  url: ({ url }) => url,
  status: ({ status }) => status,
  total_ms: ({ totalMs }) => totalMs,
  error: ({ error }) => error,
};

/** Records of one kind as CSV, a line each; their texts are left out but for the excerpt. */
export function logCsv(kind: LogRecord['kind'], texts: readonly string[]): string {
  const records = texts.map((text) => JSON.parse(text) as LogRecord);
  return kind === 'request'
    ? table(REQUEST, records as RequestLogEntry[])
    : table(EXCHANGE, records as NetworkRecord[]);
}

function table<Row>(columns: Columns<Row>, rows: readonly Row[]): string {
  const cells = Object.values(columns);
  return toCsv(
    Object.keys(columns),
    rows.map((row) => cells.map((cell) => cell(row))),
  );
}

/** Numbers of milliseconds since 1970 mean nothing to a spreadsheet. */
function time(at: number): string {
  return new Date(at).toISOString();
}
