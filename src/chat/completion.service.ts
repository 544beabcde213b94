import { Inject, Injectable } from '@nestjs/common';
import { MediaRefusedError, PromptTooLongError, UpstreamRefusedError } from '../accounts/accounts.errors.js';
import { Dispatcher } from '../accounts/dispatch/dispatcher.js';
import { ContextWindowExceededError, InternalError } from '../common/errors/gateway.errors.js';
import { ModelCatalog } from '../models/model-catalog.js';
import { RejectedError } from '../upstream/upstream.errors.js';
import { type FinishReason, type TokenUsage, type UpstreamBatch } from '../upstream/upstream-driver.js';
import { type Caller } from './caller.js';
import { type Answer } from './completion/answer.js';
import { AnswerWriter } from './completion/answer-writer.js';
import { CompletionPipeline } from './completion/completion-pipeline.js';
import { countUsage, CUT_OFF_TOKENS } from './completion/count-usage.js';
import { type Rejection } from './completion/guard.js';
import { type CompletionOutput } from './completion/output/completion-output.js';
import { AnswerDroppedError, endWithError, hasLeft } from './completion/output/end-with-error.js';
import { takeBatches } from './completion/take-batches.js';
import { estimateTokens, Tokenizer } from './completion/tokens/tokenizer.js';
import { type CompletionRequest } from './interfaces/completion-request.js';
import { type HeldTokens, KeyAllowance } from './key-allowance.js';
import { type CompletionPlan } from './plan/completion-plan.js';
import { CompletionPlanner, type PlannedCaller } from './plan/completion-planner.js';
import { planToFit } from './plan/plan-to-fit.js';
import { checkContext } from './prompt/context-check.js';
import { type ConversationPrompt } from './prompt/conversation-prompt.js';
import { toUpstreamRequest } from './prompt/upstream-request.js';
import { CompletionReporter } from './record/completion-reporter.js';

/** One completion under way. */
interface Completion {
  readonly request: CompletionRequest;
  readonly plan: CompletionPlan;
  readonly output: CompletionOutput;
  readonly writer: AnswerWriter;
  readonly reporter: CompletionReporter;
  readonly caller: Caller;
}

/** Outcome of one attempt, with its prompt. */
interface Asked {
  readonly prompt: ConversationPrompt;
  readonly pipeline: CompletionPipeline;
}

/**
 * Sequences one completion: plan, context check, lease and upstream, pipeline, end. Every step is its own file.
 */
@Injectable()
export class CompletionService {
  constructor(
    private readonly planner: CompletionPlanner,
    private readonly dispatcher: Dispatcher,
    private readonly tokenizer: Tokenizer,
    @Inject(KeyAllowance) private readonly allowance: Pick<KeyAllowance, 'reserve' | 'turnOf'>,
    @Inject(ModelCatalog) private readonly models: Pick<ModelCatalog, 'learnWindow' | 'learnTextOnly'>,
  ) {}

  /**
   * Returns when the answer is complete, has failed after its first byte, or the caller is gone.
   * @throws GatewayError as long as nothing has been written
   */
  async complete(asked: CompletionRequest, output: CompletionOutput, caller: Caller): Promise<void> {
    const reporter = new CompletionReporter(asked, caller);
    let held: HeldTokens | undefined;
    try {
      const plan = await planToFit(asked, {
        plan: (fitting) => this.planner.plan(fitting, caller),
        countTokens: (text) => this.tokenizer.count(text, caller.signal),
      });
      held = await this.allowance
        .reserve(caller.key, asked, plan.prompt, caller.signal)
        .catch(reporter.refusedByKey);
      const request = reporter.limitAnswer(held.answerTokens);
      const writer = new AnswerWriter(
        output,
        plan.guards.some(({ holdsBack }) => holdsBack),
        reporter.firstPiece,
      );
      reporter.follow(plan, writer.answer);
      const { promptTokens } = held;
      output.tellPrompt?.(() => promptTokens ?? estimateTokens(plan.prompt.input));
      const completion = { request, plan, output, writer, reporter, caller };
      await (request.params.maxTokens === 0
        ? this.answerNothing(completion)
        : this.askUntilAccepted(completion));
    } catch (error) {
      reporter.failed(error, caller.key && (await this.spent(reporter, caller.signal, held)));
      endWithError(error, output, caller);
    } finally {
      held?.settle(reporter.usage);
    }
  }

  /** Tokens of a request's prompt, which is not sent. @throws GatewayError if it cannot be answered */
  async countInput(request: CompletionRequest, caller: PlannedCaller): Promise<number> {
    const { prompt } = await this.planner.plan(request, caller);
    return this.tokenizer.count(prompt.input, caller.signal);
  }

  /** Tokens used by an answer that was cut off; undefined if the upstream never took the prompt. */
  private async spent(
    { report, plan, answer }: CompletionReporter,
    signal: AbortSignal,
    held: HeldTokens | undefined,
  ): Promise<TokenUsage | undefined> {
    return plan && report.acceptedMs !== undefined
      ? countUsage(this.tokenizer, plan.prompt.input, answer, {
          promptTokens: held?.promptTokens,
          // A caller who has left waits for nothing, and must not choose what an estimate is made from.
          ...(!hasLeft(signal) && { exactUpTo: CUT_OFF_TOKENS }),
        })
      : undefined;
  }

  /** A request for no tokens is checked, counted and logged like any other, and needs no upstream. */
  private async answerNothing(completion: Completion): Promise<void> {
    const { request, plan, caller } = completion;
    await checkContext(plan.prompt.input, request, this.tokenizer, caller.signal);
    // A caller without a limit of its own wanted no answer at all, and has it whole.
    const finishReason = request.isLimitDefault ? 'stop' : 'length';
    await this.finish(completion, plan.prompt, finishReason, undefined);
  }

  /** Asks until the guards let an answer through; each guard bounds how often it has one given up. */
  private async askUntilAccepted(completion: Completion): Promise<void> {
    const { writer, output, plan } = completion;
    let { request } = completion;
    let { prompt } = plan;
    for (let isFirst = true; ; isFirst = false) {
      const asked = await this.askWithWhatIsRead({ ...completion, request }, prompt);
      const { rejection, finishReason, usage } = asked.pipeline;
      if (rejection === undefined) {
        // What the upstream reports is about its last answer alone.
        await this.finish(completion, asked.prompt, finishReason, isFirst ? usage : undefined);
        return;
      }
      writer.drop();
      if (rejection.action === 'drop') {
        // What it took is counted first.
        output.stopHeartbeats();
      }
      prompt = correct(asked.prompt, rejection);
      request = this.withTokensLeft(completion.request, writer.answer);
    }
  }

  /** Asks once more without pictures and files if the model turns out not to read them, and remembers that. */
  private async askWithWhatIsRead(completion: Completion, prompt: ConversationPrompt): Promise<Asked> {
    try {
      return { prompt, pipeline: await this.ask(completion, prompt) };
    } catch (error) {
      // Behind a part of one answer, another would look like its rest.
      if (!(error instanceof MediaRefusedError) || !completion.writer.answer.isEmpty) {
        throw error;
      }
    }
    const { model, fieldNames } = completion.request;
    const rest = prompt.withoutMedia(fieldNames.messages);
    const pipeline = await this.ask(completion, rest);
    // Only an answer proves that the refusal was about these.
    this.models.learnTextOnly(model);
    return { prompt: rest, pipeline };
  }

  /** Tokens already let through count against the limit of an answer that goes on. */
  private withTokensLeft(request: CompletionRequest, { text, reasoning }: Answer): CompletionRequest {
    const spent = this.tokenizer.countNow(text) + this.tokenizer.countNow(reasoning);
    const maxTokens = Math.max(1, request.params.maxTokens - spent);
    return { ...request, params: { ...request.params, maxTokens } };
  }

  /**
   * Feeds a pipeline with what the upstream sends until the answer ends; the dispatch itself ends with the caller's
   * signal.
   */
  private async ask(completion: Completion, prompt: ConversationPrompt): Promise<CompletionPipeline> {
    const { request, plan, output, writer, reporter, caller } = completion;
    const { signal } = caller;
    await checkContext(prompt.input, request, this.tokenizer, signal);
    prompt.releaseTexts();
    const pipeline = new CompletionPipeline(request, this.tokenizer, writer, plan.guards);
    const goesOn = (batch: UpstreamBatch): boolean => {
      writer.upstreamBegan();
      pipeline.push(batch);
      if (pipeline.isOver) {
        return false;
      }
      output.flush();
      return true;
    };
    const { report, progressed } = reporter;
    const { elapsedMs, id: requestId, traceparent } = caller.log;
    const turn = this.allowance.turnOf(caller.key);
    const asked = toUpstreamRequest(request, prompt, plan.nativeTools);
    const recording = reporter.recording?.dispatched(asked);
    const ofLog = { report, progressed, recording, elapsedMs, requestId, traceparent };
    const batches$ = this.dispatcher.dispatch(asked, { signal, flow: output.flow, turn, ...ofLog });
    try {
      await takeBatches(batches$, goesOn);
    } catch (error) {
      throw await this.explain(error, request, prompt);
    } finally {
      reporter.asked(pipeline, output.isCommitted);
    }
    signal.throwIfAborted();
    return pipeline;
  }

  private async finish(
    { plan, output, writer, reporter, caller }: Completion,
    prompt: ConversationPrompt,
    finishReason: FinishReason | undefined,
    reported: TokenUsage | undefined,
  ): Promise<void> {
    if (finishReason === undefined) {
      throw new InternalError('upstream_cut', 'the upstream ended its answer early.');
    }
    writer.releaseReasoning();
    const usage = reported ?? (await countUsage(this.tokenizer, prompt.input, writer.answer, caller));
    output.finish(writer.answer, finishReason, usage);
    plan.guards.forEach((guard) => guard.answered?.());
    reporter.finished(finishReason, usage);
  }

  /**
   * Adds what only the request tells: to a refusal the field at fault, if the caller sent it; to a prompt too long for the
   * upstream the limit that it has stated, now or before.
   */
  private async explain(
    error: unknown,
    { model, fieldNames }: CompletionRequest,
    { input }: ConversationPrompt,
  ): Promise<unknown> {
    if (error instanceof UpstreamRefusedError) {
      const { rejection } = error;
      return new UpstreamRefusedError(rejection, fieldNames.sent?.[rejection.field ?? '']);
    }
    if (!(error instanceof PromptTooLongError)) {
      return error;
    }
    const stated = error.cause instanceof RejectedError ? error.cause.contextLimit : undefined;
    if (stated && !stated.isRepeated) {
      this.models.learnWindow(model, stated.maxTokens);
    }
    const known = model.promptLimit === undefined ? undefined : model.contextWindow;
    const tokens = stated?.promptTokens ?? (await this.tokenizer.count(input));
    return new ContextWindowExceededError(model.id, stated?.maxTokens ?? known, tokens, fieldNames.messages);
  }
}

/** The prompt to ask again with; throws where an answer that was given up is the end of the request. */
function correct(prompt: ConversationPrompt, rejection: Rejection): ConversationPrompt {
  switch (rejection.action) {
    case 'ask_again':
      return prompt.corrected(rejection.correction);
    case 'drop':
      throw new AnswerDroppedError(rejection.detail);
    case 'fail':
      throw new InternalError('answer_unusable', rejection.detail);
  }
}
