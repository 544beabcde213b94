import { RecordedDispatcher } from '../accounts/replay/recorded-dispatcher.js';
import { type Caller } from '../chat/caller.js';
import { CompletionService } from '../chat/completion.service.js';
import { type Tokenizer } from '../chat/completion/tokens/tokenizer.js';
import { type CondensedResults } from '../chat/compression/condensed-results.js';
import { EchoMemory } from '../chat/echo/echo-memory.js';
import { CompletionPlanner } from '../chat/plan/completion-planner.js';
import { type CompletionDecisions } from '../chat/record/decisions.js';
import {
  type DecidingSettings,
  parseRecording,
  type RecordedCompletion,
  toDispatchToReplay,
} from '../chat/record/recorded-completion.js';
import { Settings } from '../common/config/settings.js';
import { type Clock } from '../common/time/clock.js';
import { type NotedCompletion, type OpenRequestLog } from '../logs/logs.service.js';
import { type UpstreamDriver } from '../upstream/upstream-driver.js';
import { type Chunking, recut } from './chunking.js';
import { SilentOutput } from './silent-output.js';

/** With what a recording is run again. */
export interface RerunTools {
  /** Settings beside those of the recording. */
  readonly settings: Settings;
  readonly driver: UpstreamDriver;
  readonly tokenizer: Tokenizer;
  readonly condensedResults: CondensedResults;
  readonly clock: Clock;
}

export interface RerunOptions {
  /** `recorded` by default. */
  readonly chunking?: Chunking;
  /** In place of those that were in force. */
  readonly settings?: DecidingSettings;
  /** Ends the run. */
  readonly signal: AbortSignal;
}

/** Counts as nobody's tokens, and waits for nobody. */
const NO_ALLOWANCE = {
  reserve: () => Promise.resolve({ settle: () => undefined }),
  turnOf: () => undefined,
};

/** Runs a recorded completion through this build; the upstream is not asked. */
export async function rerun(
  recorded: RecordedCompletion,
  { settings: base, driver, tokenizer, condensedResults, clock }: RerunTools,
  { chunking = 'recorded', settings: changes, signal }: RerunOptions,
): Promise<CompletionDecisions> {
  const settings = Object.assign(new Settings(), base, recorded.settings, changes);
  const dispatches = recorded.dispatches.map((dispatch) =>
    toDispatchToReplay(dispatch, (batches) => recut(batches, chunking)),
  );
  const completions = new CompletionService(
    new CompletionPlanner(settings, driver, new EchoMemory(clock), condensedResults),
    new RecordedDispatcher(dispatches, settings),
    tokenizer,
    NO_ALLOWANCE,
    { learnWindow: () => undefined, learnTextOnly: () => undefined },
  );
  let noted: NotedCompletion | undefined;
  const log: OpenRequestLog = {
    id: 'rerun',
    keeps: 'full',
    isRecorded: true,
    elapsedMs: () => 0,
    add: () => undefined,
    keepRecording: (recording) => (noted = recording),
    finish: () => undefined,
    further: () => log,
  };
  // How it failed is among its decisions.
  await completions
    .complete(recorded.request, new SilentOutput(), callerOf(recorded, log, signal))
    .catch(() => undefined);
  signal.throwIfAborted();
  const again = noted?.make(settings);
  if (!again) {
    throw new Error('The run left no decisions.');
  }
  return parseRecording(again.json).decisions;
}

function callerOf({ caller }: RecordedCompletion, log: OpenRequestLog, signal: AbortSignal): Caller {
  return {
    ...caller,
    requestDigest: () => 'rerun',
    log,
    signal,
    streamFailure: caller.habits.streamFailure,
    errorStatus: () => 500,
  };
}
