import { assistantCalls, type ChatMessage, contentText } from '../interfaces/chat-message.js';
import { type ToolDefinition } from '../interfaces/tool-definition.js';
import { renderToolCall } from '../tools/contract/render-tool-call.js';
import { ArgumentSchema } from '../tools/schema/argument-schema.js';
import { EvaluationLimits } from '../tools/schema/evaluation-limits.js';

/**
 * Renders the tool calls of a conversation and their results as text. Messages must be rendered in order, because a
 * result gets its tool's name from the latest call with its id.
 */
export class ToolHistoryRenderer {
  /** Names of the tools by the ids of the calls so far. */
  private readonly names = new Map<string, string>();
  private readonly parameters: ReadonlyMap<string, ToolDefinition['function']['parameters']>;
  private readonly schemas = new Map<string, ArgumentSchema>();
  private readonly limits = new EvaluationLimits();

  /** @param tools known tools, by whose schemas calls are rendered; calls of other tools are rendered without */
  constructor(tools: readonly ToolDefinition[] = []) {
    this.parameters = new Map(tools.map(({ function: { name, parameters } }) => [name, parameters]));
  }

  /** The text of an assistant's message with its calls. */
  renderAnswer(message: ChatMessage): string {
    const calls = assistantCalls(message);
    calls.forEach((call) => this.names.set(call.id, call.function.name));
    const texts = calls.map((call) => renderToolCall(call.function, this.schema(call.function.name)));
    return [contentText(message.content), ...texts].filter((part) => part !== '').join('\n');
  }

  /** A message of role `tool` as a `<tool_response>`. */
  renderResult({ content, tool_call_id }: ChatMessage): string {
    const name = this.names.get(tool_call_id ?? '') ?? 'tool';
    return `<tool_response name="${name}">\n${contentText(content)}\n</tool_response>`;
  }

  private schema(name: string): ArgumentSchema | undefined {
    let schema = this.schemas.get(name);
    if (!schema && this.parameters.has(name)) {
      schema = new ArgumentSchema(this.parameters.get(name), this.limits);
      this.schemas.set(name, schema);
    }
    return schema;
  }
}
