import { type RecordedAttempt } from '../../accounts/dispatch/dispatch-recording.js';
import { type DispatchToReplay } from '../../accounts/replay/recorded-dispatcher.js';
import {
  fromRecordedError,
  type RecordedError,
  toRecordedError,
} from '../../accounts/replay/recorded-error.js';
import { type Settings } from '../../common/config/settings.js';
import { InvalidRequestError } from '../../common/errors/gateway.errors.js';
import { type UpstreamBatch, type UpstreamEvent } from '../../upstream/upstream-driver.js';
import { type CallerTraits } from '../caller.js';
import { CHAT_FIELD_NAMES, type CompletionRequest } from '../interfaces/completion-request.js';
import { type CompletionDecisions } from './decisions.js';

/** Raised whenever an older recording cannot be read any more. */
const VERSION = 1;

/** Settings on which decisions depend. */
const DECIDING_SETTINGS = ['PROVIDER', 'TOOL_MODE', 'TOOL_COMPRESSION', 'ECHO_ACTION'] as const;
export type DecidingSettings = Partial<Pick<Settings, (typeof DECIDING_SETTINGS)[number]>>;

export function decidingSettings(settings: Settings): DecidingSettings {
  return Object.fromEntries(DECIDING_SETTINGS.map((name) => [name, settings[name]]));
}

/** On what else decisions depend: what hung on time, or on other requests. */
export interface Circumstances {
  /** See `CompletionPlan`; none by default. */
  readonly echoCorrections?: number | undefined;
  /** Bytes had gone to the caller when the first answer was given up. */
  readonly isCommitted?: boolean;
  /** The caller has a key, to which answers are counted that were cut off. */
  readonly isKeyed?: boolean;
  /** Limit of the answer that its key left. */
  readonly answerTokens?: number;
  /** The key did not allow for it, by the error among the decisions. */
  readonly isRefusedByKey?: boolean;
}

/** A completion with all that the upstream sent for it, in the form of JSON: enough to run it again. */
export interface RecordedCompletion {
  readonly version: typeof VERSION;
  readonly request: CompletionRequest;
  readonly caller: Pick<CallerTraits, 'client' | 'habits' | 'wantsCompression'>;
  readonly settings: DecidingSettings;
  /** Missing in recordings of earlier releases. */
  readonly circumstances?: Circumstances;
  readonly dispatches: readonly RecordedDispatch[];
  readonly decisions: CompletionDecisions;
}

export interface RecordedDispatch {
  readonly attempts: readonly {
    readonly account?: string;
    /** Each read: its time in milliseconds since the request began, and its events. */
    readonly reads: readonly (readonly [number, ...RecordedEvent[]])[];
    readonly error?: RecordedError;
  }[];
  readonly refusal?: RecordedError;
}

/** A piece of text as it is; anything else as the event. */
export type RecordedEvent = string | UpstreamEvent;

/** The form of JSON of what was noted. */
export function toRecordedDispatch({
  attempts,
  refusal,
}: {
  readonly attempts: readonly RecordedAttempt[];
  readonly refusal?: unknown;
}): RecordedDispatch {
  return {
    attempts: attempts.map(({ account, batches, error }) => ({
      account,
      reads: batches.map(([ms, batch]) => [ms, ...batch.map(toRecordedEvent)] as const),
      error: error === undefined ? undefined : toRecordedError(error),
    })),
    refusal: refusal === undefined ? undefined : toRecordedError(refusal),
  };
}

/** @param recut function that cuts the reads anew */
export function toDispatchToReplay(
  { attempts, refusal }: RecordedDispatch,
  recut: (batches: readonly UpstreamBatch[]) => readonly UpstreamBatch[],
): DispatchToReplay {
  return {
    attempts: attempts.map(({ account, reads, error }) => ({
      account,
      batches: recut(reads.map(([, ...events]) => events.map(fromRecordedEvent))),
      error: error && fromRecordedError(error),
    })),
    refusal: refusal && fromRecordedError(refusal),
  };
}

/** @throws InvalidRequestError if it is no recording, or one of another release */
export function parseRecording(json: string): RecordedCompletion {
  let recording: Partial<RecordedCompletion> | null;
  try {
    recording = JSON.parse(json) as Partial<RecordedCompletion> | null;
  } catch (error) {
    throw new InvalidRequestError('This is not a recording.', undefined, { cause: error });
  }
  if (recording?.version !== VERSION || !recording.request || !recording.decisions || !recording.dispatches) {
    throw new InvalidRequestError(`This is not a recording of version ${VERSION}.`);
  }
  const request: Omit<CompletionRequest, 'fieldNames'> = recording.request;
  // Recordings of earlier releases have no names.
  return { ...(recording as RecordedCompletion), request: { fieldNames: CHAT_FIELD_NAMES, ...request } };
}

export function newRecording(parts: Omit<RecordedCompletion, 'version'>): RecordedCompletion {
  return { version: VERSION, ...parts };
}

function toRecordedEvent(event: UpstreamEvent): RecordedEvent {
  return event.type === 'text' ? event.text : event;
}

function fromRecordedEvent(event: RecordedEvent): UpstreamEvent {
  return typeof event === 'string' ? { type: 'text', text: event } : event;
}
