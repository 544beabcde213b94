import { type DatabaseSync } from 'node:sqlite';
import { type DecisionDifference, differences } from '../chat/record/decisions.js';
import { parseRecording } from '../chat/record/recorded-completion.js';
import { type FailureReason } from '../common/errors/failure-reasons.js';
import { selectLatestRecording } from '../logs/store/select-recording.js';
import { rerun, type RerunOptions, type RerunTools } from './rerun.js';

/** Which requests of a log are run again. */
export interface RerunRange {
  /** Unix milliseconds. */
  readonly fromMs: number;
  /** Most requests, the latest; all by default. */
  readonly limit?: number;
}

/** What came of one recorded request. */
export interface LoggedRerun {
  readonly id: string;
  /** Empty if everything is decided as before. */
  readonly differences: readonly DecisionDifference[];
  /** Why it could not be run. */
  readonly failure?: string;
  /** It was not run, since its end was no decision: the gateway had cut it off. */
  readonly isLeftOut?: boolean;
}

/** Why answers are cut off that nothing is wrong with: at the end of the gateway, or of their key. */
const CUT_OFF: ReadonlySet<string> = new Set<FailureReason>(['shutting_down', 'invalid_api_key']);

/** A run takes milliseconds, and seconds for an answer of megabytes. */
const LIMIT_MS = 60_000;

/**
 * Runs the recorded requests of a log again, the latest first. The log may be in use: each recording is read on its own, so
 * that no more than one is held, and no read keeps the file from being cleaned up.
 */
export async function* rerunLog(
  database: DatabaseSync,
  tools: RerunTools,
  { fromMs, limit = Infinity }: RerunRange,
  options: Omit<RerunOptions, 'signal'> = {},
): AsyncGenerator<LoggedRerun> {
  let found = selectLatestRecording(database, fromMs);
  for (let count = 0; found && count < limit; count++) {
    const { id, seq, json } = found;
    yield { id, ...(await compare(json, tools, options)) };
    found = selectLatestRecording(database, fromMs, seq);
  }
}

async function compare(
  json: string,
  tools: RerunTools,
  options: Omit<RerunOptions, 'signal'>,
): Promise<Omit<LoggedRerun, 'id'>> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error('It took longer than a minute.')), LIMIT_MS);
  try {
    const recorded = parseRecording(json);
    if (CUT_OFF.has(recorded.decisions.error?.reason ?? '')) {
      return { differences: [], isLeftOut: true };
    }
    const now = await rerun(recorded, tools, { ...options, signal: late.signal });
    return { differences: differences(recorded.decisions, now) };
  } catch (error) {
    return { differences: [], failure: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
  }
}
