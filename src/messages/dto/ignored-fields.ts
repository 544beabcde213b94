import { isAbsent } from '../../chat/dto/wire-values.js';
import { isJsonObject, jsonObjects } from '../../common/text/json-object.js';
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
  return edits.some((edit: unknown) => {
    const type = isJsonObject(edit) ? edit.type : undefined;
    return typeof type !== 'string' || !CLEARS_THINKING.test(type);
  });
}

/** In a document or a search result of any message, or of a tool's result: nothing lies deeper that the format knows. */
function asksForCitations(messages: unknown): boolean {
  const blocks = jsonObjects(messages).flatMap(({ content }) => jsonObjects(content));
  const nested = blocks.flatMap(({ content }) => jsonObjects(content));
  return [...blocks, ...nested].some(
    ({ citations }) => isJsonObject(citations) && citations.enabled === true,
  );
}
