import { type LogRecord } from './log-filter.js';

/** The JSON of a record that its process left pending, as that of a crashed one. */
export function crashedText(json: string): string {
  const record = JSON.parse(json) as LogRecord;
  if (record.kind === 'network') {
    return JSON.stringify({ ...record, error: 'The gateway was killed.' });
  }
  const { attempts, ...rest } = record;
  const last = attempts?.at(-1);
  const closed =
    last?.outcome === 'running' ? [...attempts!.slice(0, -1), { ...last, outcome: 'crashed' }] : attempts;
  return JSON.stringify({ ...rest, ...(closed && { attempts: closed }), outcome: 'crashed' });
}
