import { CompletionService } from '../../src/chat/completion.service.js';
import { Tokenizer } from '../../src/chat/completion/tokens/tokenizer.js';
import { CondensedResults } from '../../src/chat/compression/condensed-results.js';
import { toCompletionRequest } from '../../src/chat/dto/completion-request.factory.js';
import { EchoMemory } from '../../src/chat/echo/echo-memory.js';
import { CompletionPlanner } from '../../src/chat/plan/completion-planner.js';
import { parseRecording, type RecordedCompletion } from '../../src/chat/record/recorded-completion.js';
import { ModelCatalog } from '../../src/models/model-catalog.js';
import { SilentOutput } from '../../src/rerun/silent-output.js';
import { rigOf } from '../support/gateway/accounts-rig.js';
import { LogRecorder } from '../support/watch/output-recorder.js';
import { type Play, type RecordedCase } from './recorded-cases.js';

const SETTINGS = { RETRY_BASE_DELAY_MS: 1, RETRY_MAX_DELAY_MS: 1, RATE_LIMIT_COOLDOWN_MS: 60_000 } as const;

/**
 * Carries requests out against a scripted upstream, through real accounts and pool, and records them. A failure has
 * consequences for its account, so that every request which meets one gets accounts of its own.
 */
export async function recordCases(
  cases: readonly RecordedCase[],
): Promise<ReadonlyMap<string, RecordedCompletion>> {
  const recordings = new Map<string, RecordedCompletion>();
  const shared = await rigOf(3, SETTINGS);
  try {
    for (const one of cases) {
      const own = one.plays.some(mayFail) ? await rigOf(3, SETTINGS) : undefined;
      try {
        recordings.set(one.name, await record(one, own ?? shared));
      } finally {
        await own?.rig.close();
      }
    }
  } finally {
    await shared.rig.close();
  }
  return recordings;
}

function mayFail({ events, error }: Play): boolean {
  return error !== undefined || events.at(-1)?.type !== 'done';
}

async function record(
  { body, plays }: RecordedCase,
  { driver, rig }: Awaited<ReturnType<typeof rigOf>>,
): Promise<RecordedCompletion> {
  let prompts = 0;
  driver.onPrompt = (prompt) => {
    const play = plays[Math.min(prompts++, plays.length - 1)];
    prompt.emit(...(play?.events ?? []).map((event) => [event]));
    if (play?.error) {
      prompt.fail(play.error);
    } else {
      prompt.end();
    }
  };
  const { settings, clock } = rig;
  const log = new LogRecorder();
  log.keeps = 'full';
  log.isRecorded = true;
  const completions = new CompletionService(
    new CompletionPlanner(settings, driver, new EchoMemory(clock), new CondensedResults()),
    rig.dispatcher,
    new Tokenizer(),
    { reserve: () => Promise.resolve({ settle: () => undefined }), turnOf: () => undefined },
    new ModelCatalog(settings),
  );
  const request = toCompletionRequest(
    { model: 'svc-max', messages: [], ...body },
    (id) => new ModelCatalog(settings).get(id),
    settings,
    true,
  );
  await completions
    .complete(request, new SilentOutput(), {
      signal: new AbortController().signal,
      log,
      errorStatus: () => 500,
      habits: { retriesUnanswered: false, streamFailure: 'event', namesStream: false },
      streamFailure: 'event',
      requestDigest: () => 'c',
      wantsCompression: true,
    })
    .catch(() => undefined);
  const recording = log.recording?.make(settings);
  return parseRecording(recording?.json ?? '');
}
