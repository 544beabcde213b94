import { type Answer } from '../../chat/completion/answer.js';
import { type ToolCall } from '../../chat/interfaces/chat-message.js';
import { mendJson } from '../../chat/tools/json/mend-json.js';
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
  return { type: 'tool_use', id, name, input: toInput(json) };
}

/**
 * The format wants an object where the model may have written anything, or less than all of it. What cannot be read as
 * an object goes out as it is under a name that no schema has, so that the caller's own check tells the model.
 */
function toInput(json: string): object {
  if (json.trim() === '') {
    return {};
  }
  try {
    const value: unknown = JSON.parse(mendJson(json)?.json ?? json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value;
    }
  } catch {
    // No JSON at all.
  }
  return { unreadable_input: json };
}
