import { assistantCalls, callText, type ChatMessage, contentText } from '../interfaces/chat-message.js';
import { type CompletionRequest } from '../interfaces/completion-request.js';
import { isShownWithResults, newestOwnMessage } from '../interfaces/own-message.js';
import { type CompletionPlan } from './completion-plan.js';

/** Part of the context window that is kept for the answer at most. */
const ANSWER_SHARE = 0.25;

/** Collaborators of a plan. */
export interface Planning {
  readonly plan: (request: CompletionRequest) => Promise<CompletionPlan>;
  readonly countTokens: (text: string) => Promise<number>;
}

/**
 * The plan of a request; of one that may be truncated without its oldest messages, as many as stand in the way of a
 * prompt that leaves room for the answer. Instructions at the beginning stay, and all from the newest message of the
 * user's own on: what does not fit even then is refused like any other.
 */
export async function planToFit(
  request: CompletionRequest,
  { plan, countTokens }: Planning,
): Promise<CompletionPlan> {
  let current = await plan(request);
  if (!request.truncates) {
    return current;
  }
  const { model, params } = request;
  const room = model.contextWindow - Math.min(params.maxTokens, model.contextWindow * ANSWER_SHARE);
  let { messages } = request;
  for (;;) {
    // A token has at least one byte.
    const { input } = current.prompt;
    const excess = Buffer.byteLength(input) <= room ? 0 : (await countTokens(input)) - room;
    const kept = excess <= 0 ? messages : await withoutOldest(messages, excess, countTokens);
    if (kept.length === messages.length) {
      const truncatedMessages = request.messages.length - messages.length;
      return truncatedMessages === 0 ? current : { ...current, truncatedMessages };
    }
    messages = kept;
    current = await plan({ ...request, messages });
  }
}

/** Leaves out turns, the oldest first, until they come to so many tokens; as few as one. */
async function withoutOldest(
  messages: readonly ChatMessage[],
  tokens: number,
  countTokens: Planning['countTokens'],
): Promise<readonly ChatMessage[]> {
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  const last = newestOwnMessage(messages);
  let end = first;
  for (let left = tokens; left > 0 && end >= 0 && end < last;) {
    // Results without their calls would mean nothing, and no server takes them; nor would what is shown behind them.
    do {
      left -= await countTokens(textOf(messages[end]!));
      end++;
    } while (end < last && (messages[end]?.role === 'tool' || isShownWithResults(messages, end)));
  }
  return end <= first ? messages : [...messages.slice(0, first), ...messages.slice(end)];
}

function textOf(message: ChatMessage): string {
  const calls = assistantCalls(message).map(callText);
  return [contentText(message.content), ...calls].join('\n');
}
