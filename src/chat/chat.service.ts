import { Injectable } from '@nestjs/common';
import { lastValueFrom, takeWhile } from 'rxjs';
import { PromptTooLongError } from '../accounts/accounts.errors.js';
import { createDispatchTrace } from '../accounts/dispatch-trace.js';
import { UpstreamDispatcher } from '../accounts/upstream-dispatcher.service.js';
import { Settings } from '../common/config/settings.js';
import { ContextWindowExceededError, InternalError } from '../common/errors/gateway.errors.js';
import { type RequestDetails } from '../logs/logs.service.js';
import { ModelCatalog } from '../models/model-catalog.service.js';
import { type Prompt, type UpstreamBatch, type UpstreamRequest } from '../upstream/upstream-driver.js';
import { type Caller } from './caller.js';
import { type Answer } from './completion/answer.js';
import { type CompletionOutput } from './completion/completion-output.js';
import { CompletionPipeline } from './completion/completion-pipeline.js';
import { endWithError } from './completion/end-with-error.js';
import { countUsage } from './completion/count-usage.js';
import { Tokenizer } from './completion/tokenizer.js';
import { toContentRecord } from './content-record.js';
import { toCompletionRequest } from './dto/completion-request.factory.js';
import { type CreateChatCompletionDto } from './dto/create-chat-completion.dto.js';
import { type CompletionRequest } from './interfaces/completion-request.js';
import { checkContext } from './prompt/context-check.js';
import { ConversationPrompt } from './prompt/conversation-prompt.js';
import { toUpstreamRequest } from './prompt/upstream-request.js';

/** Sequences one completion: prompt, context check, lease and upstream, pipeline, end. Every step is its own file. */
@Injectable()
export class ChatService {
  constructor(
    private readonly settings: Settings,
    private readonly models: ModelCatalog,
    private readonly dispatcher: UpstreamDispatcher,
    private readonly tokenizer: Tokenizer,
  ) {}

  /** @throws InvalidRequestError, ModelNotFoundError */
  prepare(dto: CreateChatCompletionDto): CompletionRequest {
    return toCompletionRequest(dto, (id) => this.models.get(id), this.settings);
  }

  /**
   * Answers one request through `output`. Returns when the answer is complete, has failed after its first byte,
   * or the caller is gone.
   * @throws GatewayError as long as nothing has been written
   */
  async complete(request: CompletionRequest, output: CompletionOutput, caller: Caller): Promise<void> {
    const { log, signal } = caller;
    const prompt = new ConversationPrompt(request.messages, request.responseFormat);
    const pipeline = new CompletionPipeline(request, this.tokenizer, output);
    log.add({ model: request.model.id, stream: request.stream });
    try {
      await checkContext(prompt.text, request.model, this.tokenizer, signal);
      await this.relay(toUpstreamRequest(request, prompt, this.settings), pipeline, output, caller);
      const reason = pipeline.finishReason;
      if (reason === undefined) {
        throw new InternalError('The upstream ended its answer early.');
      }
      const usage = pipeline.usage ?? (await countUsage(this.tokenizer, prompt, pipeline.answer, signal));
      output.finish(pipeline.answer, reason, usage);
      log.finish('ok', {
        status: 200,
        usage,
        finishReason: reason,
        ...this.content(request, pipeline.answer),
      });
    } catch (error) {
      log.add(this.content(request, pipeline.answer));
      endWithError(await this.explain(error, request, prompt), output, caller);
    }
  }

  /**
   * Feeds the pipeline with what the upstream sends until the answer ends; the dispatch itself ends with the
   * caller's signal. One operator, since each costs every request 2 µs and every read 0.1.
   */
  private async relay(
    request: UpstreamRequest,
    pipeline: CompletionPipeline,
    output: CompletionOutput,
    { log, signal }: Caller,
  ): Promise<void> {
    const trace = createDispatchTrace();
    const goesOn = (batch: UpstreamBatch): boolean => {
      output.begin();
      pipeline.push(batch);
      if (pipeline.finishReason !== undefined) {
        return false;
      }
      output.flush();
      return true;
    };
    const batches$ = this.dispatcher.dispatch(request, { signal, flow: output.flow, trace });
    try {
      await lastValueFrom(batches$.pipe(takeWhile(goesOn)), { defaultValue: undefined });
    } finally {
      log.add(trace);
    }
    signal.throwIfAborted();
  }

  /** An upstream that finds the prompt too long gives no numbers; agents act on the wording that has them. */
  private async explain(error: unknown, { model }: CompletionRequest, prompt: Prompt): Promise<unknown> {
    return error instanceof PromptTooLongError
      ? new ContextWindowExceededError(model.id, model.contextWindow, await this.tokenizer.count(prompt.text))
      : error;
  }

  private content({ messages }: CompletionRequest, answer: Answer): RequestDetails {
    const content = toContentRecord(messages, answer, this.settings.LOG_CONTENT);
    return content === undefined ? {} : { content };
  }
}
