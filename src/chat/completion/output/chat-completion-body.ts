import { type FinishReason, type TokenUsage } from '../../../upstream/upstream-driver.js';
import {
  type ChatCompletion,
  type CompletionIdentity,
  SERVICE_TIER,
  SYSTEM_FINGERPRINT,
  toUsage,
} from '../../interfaces/chat-completion.js';
import { type Answer } from '../answer.js';

/** The whole answer as `chat.completion`. */
export function toChatCompletion(
  identity: CompletionIdentity,
  answer: Answer,
  reason: FinishReason,
  usage: TokenUsage,
): ChatCompletion {
  const { text, reasoning, refusal, toolCalls } = answer;
  return {
    id: identity.id,
    object: 'chat.completion',
    created: identity.created,
    model: identity.model,
    system_fingerprint: SYSTEM_FINGERPRINT,
    service_tier: SERVICE_TIER,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' && (toolCalls.length > 0 || refusal !== '') ? null : text,
          ...(refusal === '' ? {} : { refusal }),
          ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
          ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
        },
        logprobs: null,
        finish_reason: reason,
      },
    ],
    usage: toUsage(usage),
  };
}
