import { RecordedDispatcher } from '../accounts/replay/recorded-dispatcher.js';
import { type Caller } from '../chat/caller.js';
import { CompletionService } from '../chat/completion.service.js';
import { type Tokenizer } from '../chat/completion/tokens/tokenizer.js';
import { type CondensedResults } from '../chat/compression/condensed-results.js';
import { EchoMemory } from '../chat/echo/echo-memory.js';
import { type KeyAllowance } from '../chat/key-allowance.js';
import { CompletionPlanner } from '../chat/plan/completion-planner.js';
import { type CompletionDecisions } from '../chat/record/decisions.js';
import {
  type DecidingSettings,
  parseRecording,
  type RecordedCompletion,
  toDispatchToReplay,
} from '../chat/record/recorded-completion.js';
import { Settings } from '../common/config/settings.js';
import { type ErrorCode } from '../common/errors/error-catalog.js';
import { type FailureReason } from '../common/errors/failure-reasons.js';
import { GatewayError } from '../common/errors/gateway.errors.js';
import { type CallerKey } from '../common/http/access/caller-key.js';
import { type Clock } from '../common/time/clock.js';
import { type NotedCompletion, type OpenRequestLog } from '../logs/request-log.js';
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

/** By which the request would be known if it came back. */
const DIGEST = 'rerun';

type Allowance = Pick<KeyAllowance, 'reserve' | 'turnOf'>;

const SOME_KEY: CallerKey = { name: 'rerun', role: 'caller', digest: '' };

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
  const { echoCorrections = 0, isCommitted } = recorded.circumstances ?? {};
  const echoMemory = new EchoMemory(clock);
  if (echoCorrections > 0) {
    echoMemory.remember(DIGEST, echoCorrections);
  }
  const completions = new CompletionService(
    new CompletionPlanner(settings, driver, echoMemory, condensedResults),
    new RecordedDispatcher(dispatches, settings),
    tokenizer,
    allowanceOf(recorded),
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
    .complete(recorded.request, new SilentOutput(isCommitted), callerOf(recorded, log, signal))
    .catch(() => undefined);
  signal.throwIfAborted();
  const again = noted?.make(settings);
  if (!again) {
    throw new Error('The run left no decisions.');
  }
  return parseRecording(again.json).decisions;
}

/** What the key left then; counts as nobody's tokens now, and waits for nobody. */
function allowanceOf({ circumstances = {}, decisions }: RecordedCompletion): Allowance {
  const { isRefusedByKey = false, answerTokens } = circumstances;
  return {
    reserve: () =>
      isRefusedByKey
        ? Promise.reject(toError(decisions))
        : Promise.resolve({ ...(answerTokens !== undefined && { answerTokens }), settle: () => undefined }),
    turnOf: () => undefined,
  };
}

function toError({ error }: CompletionDecisions): GatewayError {
  const { code, reason } = error ?? { code: 'rate_limit', reason: 'key_limited' };
  return new GatewayError(code as ErrorCode, 'The key refused the request.', {
    reason: reason as FailureReason,
  });
}

function callerOf(
  { caller, circumstances }: RecordedCompletion,
  log: OpenRequestLog,
  signal: AbortSignal,
): Caller {
  return {
    ...caller,
    ...(circumstances?.isKeyed && { key: SOME_KEY }),
    requestDigest: () => DIGEST,
    log,
    signal,
    streamFailure: caller.habits.streamFailure,
    errorStatus: () => 500,
  };
}
