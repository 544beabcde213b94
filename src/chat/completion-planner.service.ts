import { Injectable } from '@nestjs/common';
import { Settings } from '../common/config/settings.js';
import { type CompletionPlan } from './completion-plan.js';
import { type CompletionRequest } from './interfaces/completion-request.js';
import { ConversationPrompt } from './prompt/conversation-prompt.js';
import { nativeTools } from './prompt/upstream-request.js';

/** Decides how a request is carried out: what goes upstream, and what looks at the answer. */
@Injectable()
export class CompletionPlanner {
  constructor(private readonly settings: Settings) {}

  /** @param signal ends the planning with its reason */
  plan(request: CompletionRequest, _signal: AbortSignal): Promise<CompletionPlan> {
    return Promise.resolve({
      prompt: new ConversationPrompt(request.messages, request.responseFormat),
      nativeTools: nativeTools(request, this.settings),
      guards: [],
      isGuarded: false,
      details: () => ({}),
    });
  }
}
