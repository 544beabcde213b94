import { assistantCalls, type ChatMessage, type ToolCall } from '../interfaces/chat-message.js';

/**
 * A conversation for an upstream that knows tools, in which calls without any arguments have an empty object. Clients send
 * back `""` for them as they received it, and servers that read the arguments as JSON refuse the whole request for it. The
 * conversation itself if nothing of that is needed.
 */
export function withoutEmptyArguments(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  if (!messages.some((message) => assistantCalls(message).some(lacksArguments))) {
    return messages;
  }
  return messages.map((message) => {
    const calls = assistantCalls(message);
    return calls.some(lacksArguments) ? { ...message, tool_calls: calls.map(withArguments) } : message;
  });
}

function lacksArguments(call: ToolCall): boolean {
  return call.function.arguments.trim() === '';
}

function withArguments(call: ToolCall): ToolCall {
  return lacksArguments(call) ? { ...call, function: { ...call.function, arguments: '{}' } } : call;
}
