import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';

const TYPES = new Set<unknown>(['tool_addition', 'tool_removal']);

/** A block by which a conversation adds a tool or takes one away, with its name for errors. */
export interface ToolChange {
  readonly isAddition: boolean;
  /** The tool itself or a reference to one; not checked. */
  readonly tool: unknown;
  readonly param: string;
}

/** Whether a block is a summary of what came before. One that failed has no content, and stands for nothing. */
export function isSummary({ type, content }: JsonObject): boolean {
  return type === 'compaction' && typeof content === 'string' && content !== '';
}

/** Whether a block says nothing to the model but changes what it is offered. */
export function isToolChange({ type }: JsonObject): boolean {
  return TYPES.has(type);
}

/** The changes of a conversation in their order; those of a summary stand for all before it. */
export function toolChanges(system: unknown, messages: unknown): readonly ToolChange[] {
  const changes: ToolChange[] = [];
  const read = (content: unknown, param: () => string): void => {
    if (!Array.isArray(content)) {
      return;
    }
    content.forEach((block: unknown, at) => {
      if (!isJsonObject(block)) {
        return;
      }
      const { type, tool, tool_changes: summarised } = block;
      if (isToolChange(block)) {
        changes.push({ isAddition: type === 'tool_addition', tool, param: `${param()}[${at}].tool` });
      } else if (isSummary(block) && Array.isArray(summarised)) {
        changes.length = 0;
        read(summarised, () => `${param()}[${at}].tool_changes`);
      }
    });
  };
  read(system, () => 'system');
  (Array.isArray(messages) ? messages : []).forEach((message: unknown, index) => {
    if (isJsonObject(message)) {
      read(message.content, () => `messages[${index}].content`);
    }
  });
  return changes;
}
