import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../common/config/settings.js';
import { InvalidRequestError } from '../../common/errors/gateway.errors.js';
import { randomHex } from '../../common/text/random-hex.js';
import { UpstreamDriver } from '../../upstream/upstream-driver.js';
import { type Caller, type CallerTraits } from '../caller.js';
import { type Guard } from '../completion/guard.js';
import { type CondensedMessages, condenseMessages } from '../compression/condense-messages.js';
import { CondensedResults } from '../compression/condensed-results.js';
import { resultsToGuard } from '../echo/arming.js';
import { EchoGuard } from '../echo/echo-guard.js';
import { EchoMemory } from '../echo/echo-memory.js';
import { type ChatMessage } from '../interfaces/chat-message.js';
import { type CompletionRequest } from '../interfaces/completion-request.js';
import { type ToolDefinition } from '../interfaces/tool-definition.js';
import { carriedImages } from '../prompt/carried-images.js';
import { ConversationPrompt } from '../prompt/conversation-prompt.js';
import { promptTools } from '../prompt/upstream-request.js';
import { StructuredOutputGuard } from '../structured/structured-output-guard.js';
import { mayCall, type ToolOffer } from '../tools/contract/tool-offer.js';
import { NativeToolCallGuard } from '../tools/native/native-tool-call-guard.js';
import { ToolCallGuard } from '../tools/tool-call-guard.js';
import { type CompletionPlan } from './completion-plan.js';

/** The part of the caller that a plan depends on. */
export type PlannedCaller = CallerTraits & Pick<Caller, 'signal'>;

/** Decides how a request is carried out: the prompt that goes upstream, and the guards of its answer. */
@Injectable()
export class CompletionPlanner {
  constructor(
    private readonly settings: Settings,
    private readonly driver: UpstreamDriver,
    private readonly echoMemory: EchoMemory,
    private readonly condensedResults: CondensedResults,
  ) {}

  /**
   * @throws InvalidRequestError if tools are offered over an upstream that cannot call them, or images sent that it
   * cannot take; what the caller's signal was aborted with
   */
  async plan(request: CompletionRequest, caller: PlannedCaller): Promise<CompletionPlan> {
    const { responseFormat, fieldNames } = request;
    const { messages, images } = carriedImages(request);
    const tools = promptTools(request, this.settings);
    const nextCallId = (): string => (request.callIdPrefix ?? 'call_') + randomHex();
    const toolGuard = tools.offer
      ? this.textGuard(tools.offer, nextCallId)
      : nativeGuard(request, nextCallId);
    const sent = await this.condense(messages, request.tools, caller);
    const echoGuard = this.echoGuard(messages, sent.messages, caller);
    // Last, since what it lets through must not be held back behind it: see `StructuredOutputGuard`.
    const outputGuard = StructuredOutputGuard.of(responseFormat, fieldNames.schema);
    const guards = [toolGuard, echoGuard, outputGuard].filter((guard): guard is Guard => guard !== undefined);
    const correction = guards.map(({ firstCorrection }) => firstCorrection).findLast(Boolean);
    return {
      prompt: new ConversationPrompt({
        conversation: sent.messages,
        images,
        format: responseFormat,
        ...tools,
        correction,
      }),
      nativeTools: tools.native,
      echoCorrections: echoGuard?.corrections,
      guards,
      condensed: sent.condensed,
    };
  }

  /** The conversation as it goes upstream. */
  private async condense(
    messages: readonly ChatMessage[],
    offered: readonly ToolDefinition[],
    { wantsCompression, signal }: PlannedCaller,
  ): Promise<CondensedMessages> {
    if (!this.settings.TOOL_COMPRESSION || !wantsCompression) {
      return { messages, condensed: [] };
    }
    return condenseMessages(messages, offered, this.condensedResults, async () => {
      await setImmediate();
      signal.throwIfAborted();
    });
  }

  private textGuard(offer: ToolOffer, nextCallId: () => string): Guard | undefined {
    if (!mayCall(offer)) {
      return undefined;
    }
    if (this.driver.isLossy) {
      throw new InvalidRequestError(
        'tools cannot be called here: answers are read off the page of the chat site, which loses markup.',
        'tools',
      );
    }
    return new ToolCallGuard(offer, nextCallId);
  }

  /** @param sent the messages as they go upstream */
  private echoGuard(
    messages: readonly ChatMessage[],
    sent: readonly ChatMessage[],
    caller: PlannedCaller,
  ): EchoGuard | undefined {
    const { ECHO_ACTION: action } = this.settings;
    const setting = action === 'drop' && caller.habits.isNeverDropped ? 'auto' : action;
    const results = setting === 'off' ? [] : resultsToGuard(messages, sent);
    return results.length === 0
      ? undefined
      : new EchoGuard({
          results,
          setting,
          isRetryingClient: caller.habits.retriesUnanswered,
          memory: this.echoMemory,
          requestDigest: caller.requestDigest,
        });
  }
}

/** Without tools, too: a model that saw calls in the conversation may make one all the same. */
function nativeGuard(
  { tools, toolChoice: choice, parallelToolCalls: parallel }: CompletionRequest,
  nextCallId: () => string,
): Guard {
  return new NativeToolCallGuard({ definitions: tools, choice, parallel }, nextCallId);
}
