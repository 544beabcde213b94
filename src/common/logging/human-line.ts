import { styleText } from 'node:util';

/** A line of the process log, as pino writes it. */
interface LogLine {
  readonly level: number;
  /** Unix milliseconds. */
  readonly time: number;
  readonly msg?: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
  readonly [field: string]: unknown;
}

/** Message of the line about a finished request, whose fields say the rest. */
export const REQUEST_FINISHED = 'request finished';

const WARN = 40;
const ERROR = 50;
/** The clock of the person at the terminal. */
const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
/** Control characters of terminals, and those of the direction of text; texts of callers and upstreams may hold them. */
// eslint-disable-next-line no-control-regex -- these are what is looked for
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** A line of the process log for a person at a terminal; what is no JSON stays as it is. Ends with a line break. */
export function humanLine(json: string): string {
  let line: LogLine;
  try {
    line = JSON.parse(json) as LogLine;
  } catch {
    return json;
  }
  const { level, time, msg = '', err, ...details } = line;
  const isRequest = msg === REQUEST_FINISHED;
  const text = isRequest ? requestText(details) : [msg, detailText(details)].filter(Boolean).join('  ');
  const isGood = isRequest && details.outcome === 'ok';
  const stack = err?.stack ?? err?.message;
  // Further lines are indented, so that none of a text passes for one of the log.
  const shown = [text, ...(stack === undefined ? [] : [stack])]
    .join('\n')
    .replaceAll(CONTROLS, '�')
    .replaceAll('\n', '\n  ');
  return `${styleText('dim', CLOCK.format(time))} ${markOf(level, isRequest, isGood)} ${shown}\n`;
}

function markOf(level: number, isRequest: boolean, isGood: boolean): string {
  if (isGood) {
    return styleText('green', '✓');
  }
  if (isRequest || level >= ERROR) {
    return styleText('red', '✗');
  }
  return level >= WARN ? styleText('yellow', '!') : styleText('dim', '·');
}

/** E.g. `svc-max  sandbox-3  1.7 s`; of a failure also what it was, and the id to look it up by. */
function requestText({
  id,
  outcome,
  status,
  model,
  account,
  totalMs,
  error,
}: Record<string, unknown>): string {
  const seconds = typeof totalMs === 'number' ? `${(totalMs / 1000).toFixed(1)} s` : undefined;
  const failure = outcome === 'ok' ? [] : [outcome, status, messageOf(error), id];
  return [model, account, seconds, ...failure]
    .filter((part) => part !== undefined && part !== null && part !== '')
    .map(String)
    .join('  ');
}

function messageOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
}

function detailText(details: Readonly<Record<string, unknown>>): string {
  return Object.entries(details)
    .filter(([name]) => name !== 'context')
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
}
