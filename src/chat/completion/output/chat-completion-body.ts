import { type FinishReason, type TokenUsage } from '../../../upstream/upstream-driver.js';
import { customInput } from '../../dto/custom-tools.js';
import {
  type ChatCompletion,
  type CompletionIdentity,
  SERVICE_TIER,
  SYSTEM_FINGERPRINT,
  toUsage,
} from '../../interfaces/chat-completion.js';
import { type CustomToolCall, type ToolCall } from '../../interfaces/chat-message.js';
import { type Answer } from '../answer.js';
import { addUsage, type ChoicePlace } from './choice-place.js';

/** What only the answer of this endpoint needs. */
export interface ChatCompletionOptions {
  /** Names of the functions that the caller knows as custom tools. */
  readonly customTools: ReadonlySet<string>;
  readonly place: ChoicePlace;
}

/** The whole answer as `chat.completion`. */
export function toChatCompletion(
  identity: CompletionIdentity,
  { customTools, place }: ChatCompletionOptions,
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
        index: place.index,
        message: {
          role: 'assistant',
          content: text === '' && (toolCalls.length > 0 || refusal !== '') ? null : text,
          refusal: refusal === '' ? null : refusal,
          ...(reasoning !== '' && { reasoning_content: reasoning }),
          ...(toolCalls.length > 0 && {
            tool_calls: toolCalls.map((call) => toCallerCall(call, customTools)),
          }),
        },
        logprobs: null,
        finish_reason: reason,
      },
    ],
    usage: toUsage(addUsage(place.usageBefore, usage)),
  };
}

function toCallerCall(call: ToolCall, customTools: ReadonlySet<string>): ToolCall | CustomToolCall {
  const { id, function: called } = call;
  return customTools.has(called.name)
    ? { id, type: 'custom', custom: { name: called.name, input: customInput(called.arguments) } }
    : call;
}
