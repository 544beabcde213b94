import { describe, expect, it } from '@jest/globals';
import { concat, EMPTY, finalize, from, fromEvent, NEVER, Observable, of, takeUntil, throwError } from 'rxjs';
import { ScriptedDriver } from '../../test/support/upstream/scripted-driver.js';
import { LogRecorder, OutputRecorder } from '../../test/support/watch/output-recorder.js';
import { PromptTooLongError } from '../accounts/accounts.errors.js';
import { type DispatchContext } from '../accounts/dispatch/upstream-dispatch.js';
import { Settings } from '../common/config/settings.js';
import { DEFAULT_ERROR_FORMAT } from '../common/errors/error-format.js';
import { InternalError, TooManyRequestsError } from '../common/errors/gateway.errors.js';
import { SystemClock } from '../common/time/clock.js';
import { type KeyRegistry } from '../keys/key-registry.js';
import { ModelCatalog } from '../models/model-catalog.js';
import { type ContextLimit, RejectedError } from '../upstream/upstream.errors.js';
import { type TokenUsage, type UpstreamBatch, type UpstreamRequest } from '../upstream/upstream-driver.js';
import { type Caller } from './caller.js';
import { CompletionService } from './completion.service.js';
import { type Guard, type Rejection } from './completion/guard.js';
import { Stage } from './completion/stages/stage.js';
import { Tokenizer } from './completion/tokens/tokenizer.js';
import { CondensedResults } from './compression/condensed-results.js';
import { toCompletionRequest } from './dto/completion-request.factory.js';
import { EchoMemory } from './echo/echo-memory.js';
import { type CompletionRequest } from './interfaces/completion-request.js';
import { KeyAllowance } from './key-allowance.js';
import { type CompletionPlan } from './plan/completion-plan.js';
import { CompletionPlanner } from './plan/completion-planner.js';

type Dispatch = (request: UpstreamRequest, context: DispatchContext) => Observable<UpstreamBatch>;

const ACCEPTED: UpstreamBatch = [{ type: 'accepted' }];
const text = (value: string): UpstreamBatch => [{ type: 'text', text: value }];
const reasoning = (value: string): UpstreamBatch => [{ type: 'reasoning', text: value }];
const done: UpstreamBatch = [{ type: 'done', reason: 'stop' }];

/** Plans as usual, with a guard before every answer. */
class GuardedPlanner extends CompletionPlanner {
  constructor(
    settings: Settings,
    private readonly guard: Guard,
  ) {
    super(settings, new ScriptedDriver([]), new EchoMemory(new SystemClock()), new CondensedResults());
  }

  override async plan(request: CompletionRequest, caller: Caller): Promise<CompletionPlan> {
    return { ...(await super.plan(request, caller)), guards: [this.guard] };
  }
}

/** Gives up answers with a word in them, as long as there are rejections left. */
function rejecting(word: string, ...rejections: Rejection[]): Guard {
  const stage: Guard['stage'] = (next, { reject, pass }) =>
    new (class extends Stage {
      override text(text: string): void {
        const rejection = text.includes(word) ? rejections.shift() : undefined;
        if (rejection) {
          reject(rejection);
          return;
        }
        if (text.includes(word)) {
          pass({ cause: 'echo', detail: 'Again.' });
        }
        next.text(text);
      }
    })(next);
  return { holdsBack: true, stage };
}

/** For parts that only `answer` uses; `complete` is tested here. */
const UNUSED: unknown = undefined;

const FAULT = { cause: 'echo', detail: 'It says bad.' } as const;

interface Run {
  readonly output: OutputRecorder;
  readonly log: LogRecorder;
  readonly sent: UpstreamRequest[];
  readonly error: unknown;
  /** Context windows that refusals have named. */
  readonly learned: number[];
}

/** A registry with one key, and what it counts. */
class LimitedKey {
  readonly used: number[] = [];

  constructor(private readonly left: number | undefined) {}

  readonly tokensLeft = () => this.left;
  readonly priorityOf = () => 'interactive';
  readonly count = (_key: unknown, tokens: number) => this.used.push(tokens);
  readonly reserve = (_key: unknown, tokens: number) => ({
    tokens,
    settle: (used: number) => this.used.push(used),
  });
}

/** Completes one request against an upstream that answers with the given batches. */
async function run(
  upstream: Observable<UpstreamBatch> | Dispatch,
  {
    body = {},
    settings: changes = {},
    signal = new AbortController().signal,
    guard,
    key,
  }: {
    body?: object;
    settings?: Partial<Settings>;
    signal?: AbortSignal;
    guard?: Guard;
    key?: LimitedKey;
  } = {},
): Promise<Run> {
  const settings = Object.assign(new Settings(), changes);
  const sent: UpstreamRequest[] = [];
  const learned: number[] = [];
  const dispatcher = {
    dispatch: (request: UpstreamRequest, context: DispatchContext) => {
      sent.push(request);
      const batches$ = typeof upstream === 'function' ? upstream(request, context) : upstream;
      // As the dispatcher does.
      return batches$.pipe(takeUntil(fromEvent(context.signal, 'abort')));
    },
  };
  const chat = new CompletionService(
    guard
      ? new GuardedPlanner(settings, guard)
      : new CompletionPlanner(
          settings,
          new ScriptedDriver([]),
          new EchoMemory(new SystemClock()),
          new CondensedResults(),
        ),
    dispatcher,
    new Tokenizer(),
    new KeyAllowance((key ?? UNUSED) as KeyRegistry, new Tokenizer(), new SystemClock()),
    { learnWindow: (_model, tokens) => learned.push(tokens), learnTextOnly: () => undefined },
  );
  const output = new OutputRecorder();
  const log = new LogRecorder();
  log.keeps = settings.LOG_CONTENT;
  const request = toCompletionRequest(
    { model: 'svc-max', messages: [{ role: 'user', content: 'Say hello.' }], ...body },
    (id) => new ModelCatalog(settings).get(id),
    settings,
    true,
  );
  let error: unknown;
  const caller: Caller = {
    ...(key && { key: { name: 'ann', role: 'caller', digest: '' } as const }),
    signal,
    log,
    errorStatus: (thrown) => DEFAULT_ERROR_FORMAT.status(thrown),
    habits: { retriesUnanswered: false, streamFailure: 'event', namesStream: false },
    streamFailure: 'event',
    requestDigest: () => 'c',
    wantsCompression: true,
  };
  await chat.complete(request, output, caller).catch((thrown: unknown) => (error = thrown));
  return { output, log, sent, error, learned };
}

describe('CompletionService', () => {
  it('relays an answer and counts its tokens', async () => {
    const { output, log, error } = await run(of(ACCEPTED, text('Hel'), text('lo.'), done));
    const usage = { promptTokens: 3, completionTokens: 2, reasoningTokens: 0, cachedTokens: 0 };
    expect(error).toBeUndefined();
    expect(output.calls).toEqual([
      ['begin'],
      ['flush'],
      ['text', 'Hel'],
      ['flush'],
      ['text', 'lo.'],
      ['flush'],
      ['finish', 'Hello.', 'stop', usage],
    ]);
    expect(log.outcomes).toEqual(['ok']);
    expect(log.details).toEqual({
      model: 'svc-max',
      stream: true,
      parameters: { max_tokens: 1000 },
      conversation: expect.stringMatching(/^[0-9a-f]{16}$/),
      turn: 1,
      excerpt: 'Say hello.',
      inputChars: { user: 10 },
      status: 200,
      queuedMs: 0,
      firstTokenMs: 0,
      attempts: [],
      usage,
      finishReason: 'stop',
      content: { messages: [{ role: 'user', content: 'Say hello.' }], reasoning: '', answer: 'Hello.' },
    });
  });

  it('takes the usage that the upstream reports', async () => {
    const usage = { promptTokens: 70, completionTokens: 80, reasoningTokens: 9, cachedTokens: 60 };
    const last: UpstreamBatch = [{ type: 'usage', usage }, ...done];
    const { output } = await run(of(text('Hi'), last));
    expect(output.calls.at(-1)).toEqual(['finish', 'Hi', 'stop', usage]);
  });

  it('sends the prompt, the model and the parameters', async () => {
    const { sent } = await run(of(done), {
      body: { model: 'svc-plus-no-thinking', max_tokens: 9, temperature: 0, stop: 'END', seed: 4 },
    });
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      model: 'svc-plus',
      thinking: false,
      params: { temperature: 0, maxTokens: 9, stop: ['END'], seed: 4 },
      prompt: { text: 'Say hello.', messages: [{ role: 'user', content: 'Say hello.' }] },
    });
  });

  it('asks nothing of the upstream if the prompt does not fit', async () => {
    const models = { tiny: { contextWindow: 2, maxOutputTokens: 5, thinking: true } };
    const { error, sent, log, output } = await run(of(done), {
      body: { model: 'tiny' },
      settings: { models },
    });
    expect(error).toMatchObject({ code: 'context_window_exceeded', param: 'messages' });
    expect([sent, output.calls, log.outcomes]).toEqual([[], [], ['client_error']]);
  });

  const refused = (contextLimit?: ContextLimit): Observable<never> =>
    throwError(() => new PromptTooLongError(new RejectedError('too_long', 'too long', { contextLimit })));

  it.each<[what: string, limit: ContextLimit | undefined, told: string]>([
    ['no limit', undefined, "The input exceeds this model's maximum context length"],
    [
      'the limit',
      { maxTokens: 2 },
      "This model's maximum context length is 2 tokens. However, your messages resulted in 3 tokens by estimate",
    ],
    [
      'the limit and the length',
      { maxTokens: 500, promptTokens: 900 },
      "This model's maximum context length is 500 tokens. However, your messages resulted in 900 tokens by estimate",
    ],
    [
      'a limit for prompt and answer',
      { maxTokens: 500 },
      "This model's maximum context length is 500 tokens. However, the input and the answer that is asked for exceed " +
        'it together',
    ],
  ])('tells of a prompt that the upstream finds too long what is known: %s', async (_what, limit, told) => {
    const { error } = await run(refused(limit));
    expect((error as Error).message).toBe(
      `${told} (model svc-max): the prompt is too long. Please reduce the length of the messages.`,
    );
  });

  it('tells a limit whose words stand in the request, which may quote an earlier refusal, but does not learn it', async () => {
    const limit = { maxTokens: 500, promptTokens: 900 };
    expect((await run(refused(limit))).learned).toEqual([500]);
    const { error, learned } = await run(refused({ ...limit, isRepeated: true }));
    expect((error as Error).message).toContain('maximum context length is 500 tokens');
    expect(learned).toEqual([]);
  });

  it('counts the definitions of tools that the upstream calls itself', async () => {
    const tools = [{ type: 'function', function: { name: 'f', description: ' word'.repeat(100) } }];
    const small = { contextWindow: 100, maxOutputTokens: 10, thinking: true };
    const settings = { PROVIDER: 'openai', models: { small } } as const;
    const { error, sent } = await run(of(done), { body: { model: 'small', tools }, settings });
    expect([error, sent]).toMatchObject([{ code: 'context_window_exceeded' }, []]);

    const { output } = await run(of(done), { body: { tools }, settings: { PROVIDER: 'openai' } });
    const [, , , usage] = output.calls.at(-1) ?? [];
    expect((usage as TokenUsage).promptTokens).toBeGreaterThan(100);
  });

  it('stops listening to the upstream once the answer has ended', async () => {
    let isCancelled = false;
    const upstream = concat(from([text('a END'), text(' b')]), NEVER).pipe(
      finalize(() => (isCancelled = true)),
    );
    const { output } = await run(upstream, { body: { stop: 'END' } });
    expect(isCancelled).toBe(true);
    expect(output.calls.map(([name, value]) => [name, value])).toEqual([
      ['begin', undefined],
      ['text', 'a '],
      ['finish', 'a '],
    ]);
  });

  it('throws what fails before the upstream answers', async () => {
    const limited = new TooManyRequestsError('Every account is cooling down.', 5000);
    const { error, output, log } = await run(throwError(() => limited));
    expect(error).toBe(limited);
    expect(output.calls).toEqual([]);
    expect(log.outcomes).toEqual(['rate_limited']);
  });

  it('ends the stream with what fails later', async () => {
    const broken = concat(
      of(text('Hel')),
      throwError(() => new InternalError('upstream_cut', 'the upstream cut its answer off.')),
    );
    const { error, output, log } = await run(broken);
    expect(error).toBeUndefined();
    expect(output.calls.slice(-2)).toEqual([
      ['flush'],
      ['fail', 'internal_error', 'Internal server error: the upstream cut its answer off.', 'event'],
    ]);
    expect(log.outcomes).toEqual(['upstream_error']);
    expect(log.details.content).toMatchObject({ reasoning: '', answer: 'Hel' });
  });

  it('never takes an answer that was cut off for a whole one', async () => {
    const cut = await run(of(text('Hel')));
    expect(cut.output.calls.at(-1)).toEqual([
      'fail',
      'internal_error',
      'Internal server error: the upstream ended its answer early.',
      'event',
    ]);
    const empty = await run(EMPTY);
    expect(empty.error).toMatchObject({ code: 'internal_error' });
  });

  it('says nothing once the caller is gone', async () => {
    const controller = new AbortController();
    const upstream = concat(of(text('Hel')), new Observable<UpstreamBatch>(() => controller.abort()));
    const { output, log, error } = await run(upstream, { signal: controller.signal });
    expect(error).toBeUndefined();
    expect(output.calls).toEqual([['begin'], ['text', 'Hel'], ['flush']]);
    expect(log.outcomes).toEqual(['cancelled']);
  });

  describe('counts a long prompt for its key that was cut off', () => {
    // Digits take more tokens than words, which an estimate from the beginning does not know.
    const content = ' word'.repeat(20_000) + '7'.repeat(100_000);
    const exact = new Tokenizer().countNow(content);
    const cutOff = async (left: number | undefined, hasLeft: boolean): Promise<number> => {
      const key = new LimitedKey(left);
      const controller = new AbortController();
      const cut = new Observable<UpstreamBatch>((subscriber) =>
        hasLeft ? controller.abort() : subscriber.error(new InternalError('upstream_cut', 'cut.')),
      );
      const dispatch: Dispatch = (_request, { report }) => {
        report.acceptedMs = 1;
        return cut;
      };
      const body = { messages: [{ role: 'user', content }] };
      await run(dispatch, { body, key, signal: controller.signal });
      return key.used[0]!;
    };

    it('exactly if its caller has left, or it was counted before', async () => {
      for (const [left, hasLeft] of [
        [undefined, true],
        [Number.MAX_SAFE_INTEGER, true],
        [1_000_000, true],
        [1_000_000, false],
      ] as const) {
        expect(await cutOff(left, hasLeft)).toBeGreaterThanOrEqual(exact);
      }
    });

    it('by an estimate if its caller waits for the error', async () => {
      expect(await cutOff(undefined, false)).toBeLessThan(exact);
    });
  });

  it('hands the gate of the output to the upstream, and logs what it tells of its way', async () => {
    let flow: unknown;
    const { output, log } = await run((_request, context) => {
      ({ flow } = context);
      context.report.account = 'anna';
      context.report.attempts.push({ account: 'anna', startedMs: 1, durationMs: 2, outcome: 'ok' });
      return of(done);
    });
    expect(flow).toBe(output.flow);
    expect(log.details).toMatchObject({ account: 'anna', attempts: [{ account: 'anna', outcome: 'ok' }] });
  });

  it('asks again with the correction, and answers once', async () => {
    const answers = [concat(of(reasoning('hm'), text('bad'), text('more')), NEVER), of(text('good'), done)];
    const correction = { instruction: 'Do better.', rejected: 'bad' };
    const { output, log, sent } = await run(() => answers.shift() ?? EMPTY, {
      guard: rejecting('bad', { ...FAULT, action: 'ask_again', correction }),
    });
    expect(output.calls.map(([name, value]) => [name, value])).toEqual([
      ['flush', undefined],
      ['begin', undefined],
      ['text', 'good'],
      ['flush', undefined],
      ['finish', 'good'],
    ]);
    expect(sent.map(({ prompt }) => prompt.messages)).toEqual([
      [{ role: 'user', content: 'Say hello.' }],
      [
        { role: 'user', content: 'Say hello.' },
        { role: 'assistant', content: 'bad' },
        { role: 'user', content: 'Do better.' },
      ],
    ]);
    expect(log.details.corrections).toEqual([{ atMs: 0, ...FAULT, action: 'regenerated' }]);
  });

  it('breaks the connection of a caller that retries', async () => {
    const { output, log, error } = await run(of(text('bad'), done), {
      guard: rejecting('bad', { ...FAULT, action: 'drop' }),
    });
    // Nothing may commit it while its tokens are counted.
    expect([output.calls, error]).toEqual([[['stopHeartbeats'], ['drop']], undefined]);
    expect(log.outcomes).toEqual(['upstream_error']);
    expect(log.details).toMatchObject({
      corrections: [{ atMs: 0, ...FAULT, action: 'dropped' }],
      error: { code: 'internal_error', message: 'Internal server error: It says bad.' },
    });
    expect(log.details).not.toHaveProperty('status');
  });

  it('fails where a correction is no use, and tells the log of what is let through', async () => {
    const failed = await run(of(text('bad'), done), {
      guard: rejecting('bad', { ...FAULT, action: 'fail' }),
    });
    expect(failed.error).toMatchObject({
      code: 'internal_error',
      message: 'Internal server error: It says bad.',
    });
    const passed = await run(of(text('bad'), done), { guard: rejecting('bad') });
    expect(passed.output.calls.at(-1)?.slice(0, 2)).toEqual(['finish', 'bad']);
    expect(passed.log.details.corrections).toEqual([
      { atMs: 0, cause: 'echo', detail: 'Again.', action: 'passed' },
    ]);
  });

  it.each([
    ['none', undefined],
    ['preview', 'a'.repeat(500)],
    ['full', 'a'.repeat(600)],
  ] as const)('keeps texts in the log as LOG_CONTENT=%s says', async (LOG_CONTENT, answer) => {
    const { log } = await run(of(text('a'.repeat(600)), done), { settings: { LOG_CONTENT } });
    expect(log.details.content?.answer).toBe(answer);
  });
});
