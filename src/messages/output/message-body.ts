import { type Answer } from '../../chat/completion/answer.js';
import { type ToolCall } from '../../chat/interfaces/chat-message.js';
import { argumentsObject } from '../../chat/tools/json/arguments-object.js';
import { type FinishReason, type TokenUsage } from '../../upstream/upstream-driver.js';
import { type MessageIdentity, type MessageOptions, signatureOf, toMessageUsage, toStop } from './message.js';

/** The whole answer as a `message`. */
export function toMessage(
  { id, model }: MessageIdentity,
  options: MessageOptions,
  answer: Answer,
  reason: FinishReason,
  usage: TokenUsage,
): object {
  const { reasoning, toolCalls } = answer;
  const text = answer.text + answer.refusal;
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [
      ...(reasoning === ''
        ? []
        : [
            {
              type: 'thinking',
              thinking: options.omitsThinking ? '' : reasoning,
              signature: signatureOf(reasoning, options),
            },
          ]),
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...toolCalls.map(toToolUse),
    ],
    ...toStop(answer, reason),
    usage: toMessageUsage(usage),
  };
}

function toToolUse({ id, function: { name, arguments: json } }: ToolCall): object {
  return { type: 'tool_use', id, name, input: argumentsObject(json) };
}
