import { shortened } from '../../common/text/shortened.js';
import { type LogContent } from './log-content.js';
import { type RequestError, type RequestLogEntry } from './request-log-entry.js';

/** Longest sentence on a request: some quote what a caller, a model or an upstream made up. */
const MAX_SENTENCE_CHARS = 1000;

/**
 * The entry as the log keeps it: sentences of a bounded length; with `none`, no such as may repeat words of a prompt, a
 * schema or an answer. A copy, since the entry of a request that runs is filled in further.
 */
export function keptEntry(entry: RequestLogEntry, mode: LogContent): RequestLogEntry {
  const { error, attempts, corrections, notes } = entry;
  const hasDetails = attempts?.some(({ detail }) => detail !== undefined);
  if (!error && !hasDetails && !corrections && !notes) {
    return entry;
  }
  return {
    ...entry,
    ...(error && { error: keptError(error, mode) }),
    ...(attempts && { attempts: attempts.map((attempt) => withKeptDetail(attempt, mode)) }),
    ...(corrections && { corrections: corrections.map((correction) => withKeptDetail(correction, mode)) }),
    ...(notes && { notes: notes.map((note) => shortened(note, MAX_SENTENCE_CHARS)) }),
  };
}

function keptError({ code, reason, message, cause }: RequestError, mode: LogContent): RequestError {
  // Then the message is the detail of the last correction.
  const isOfAnswer = reason === 'answer_unusable';
  return {
    code,
    reason,
    ...(!(isOfAnswer && mode === 'none') && sentence('message', message)),
    ...(mode !== 'none' && sentence('cause', cause)),
  };
}

function withKeptDetail<T extends { readonly detail?: string }>(record: T, mode: LogContent): T {
  const { detail, ...others } = record;
  return { ...others, ...(mode !== 'none' && sentence('detail', detail)) } as T;
}

function sentence(name: string, text: string | undefined): Readonly<Record<string, string>> {
  return text === undefined ? {} : { [name]: shortened(text, MAX_SENTENCE_CHARS) };
}
