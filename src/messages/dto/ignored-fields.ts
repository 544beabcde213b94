import { isAbsent, isJsonObject } from '../../chat/dto/wire-values.js';
import { type CountTokensDto } from './create-message.dto.js';

/** Edits that change nothing of what an answer can be about. Claude Code asks for one with every message. */
const CLEARS_THINKING = /^clear_thinking_/;

/** Fields of a message that a caller may count on, and that have no effect. */
export function ignoredFields({
  context_management: management,
  container,
  messages,
}: Partial<CountTokensDto>): readonly string[] {
  return [
    ...(editsConversation(management) ? ['context_management'] : []),
    ...(isAbsent(container) ? [] : ['container']),
    ...(asksForCitations(messages) ? ['citations'] : []),
  ];
}

function editsConversation(management: unknown): boolean {
  const edits = isJsonObject(management) && Array.isArray(management.edits) ? management.edits : [];
  return edits.some((edit: unknown) => !(isJsonObject(edit) && CLEARS_THINKING.test(String(edit.type))));
}

/** In a document or a search result of any message, or of a tool's result. */
function asksForCitations(blocks: unknown): boolean {
  return (
    Array.isArray(blocks) &&
    blocks.some(
      (block: unknown) =>
        isJsonObject(block) &&
        ((isJsonObject(block.citations) && block.citations.enabled === true) ||
          asksForCitations(block.content)),
    )
  );
}
