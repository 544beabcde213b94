import { type ChatMessage, contentText, type ToolCall } from '../interfaces/chat-message.js';
import { type ToolDefinition } from '../interfaces/tool-definition.js';
import { renderToolCall } from '../tools/contract/render-tool-call.js';
import { ArgumentSchema } from '../tools/schema/argument-schema.js';

/** Renders the calls of a conversation and their results, in order: a result is named by the latest call with its id. */
export class ToolHistoryRenderer {
  private readonly names = new Map<string, string>();
  private readonly parameters: ReadonlyMap<string, ToolDefinition['function']['parameters']>;
  private readonly schemas = new Map<string, ArgumentSchema>();

  /** @param tools those known now; calls of others are rendered too */
  constructor(tools: readonly ToolDefinition[] = []) {
    this.parameters = new Map(tools.map(({ function: { name, parameters } }) => [name, parameters]));
  }

  /** What an assistant said and called. */
  renderAnswer(message: ChatMessage): string {
    const calls = assistantCalls(message);
    calls.forEach((call) => this.names.set(call.id, call.function.name));
    const texts = calls.map((call) => renderToolCall(call.function, this.schema(call.function.name)));
    return [contentText(message.content), ...texts].filter((part) => part !== '').join('\n');
  }

  renderResult({ content, tool_call_id }: ChatMessage): string {
    const name = this.names.get(tool_call_id ?? '') ?? 'tool';
    return `<tool_response name="${name}">\n${contentText(content)}\n</tool_response>`;
  }

  private schema(name: string): ArgumentSchema | undefined {
    let schema = this.schemas.get(name);
    if (!schema && this.parameters.has(name)) {
      schema = new ArgumentSchema(this.parameters.get(name));
      this.schemas.set(name, schema);
    }
    return schema;
  }
}

/** Only an assistant's calls are checked by validation; in other messages the field is unknown and ignored. */
export function assistantCalls({ role, tool_calls }: ChatMessage): readonly ToolCall[] {
  return role === 'assistant' ? (tool_calls ?? []) : [];
}
