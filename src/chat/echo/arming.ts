import { type ChatMessage, contentText } from '../interfaces/chat-message.js';
import { type IndexedResult } from './match/echo-index.js';
import { asksForList, asksForRawText } from './request/raw-text-request.js';

/** Length in characters below which a result alone arms no guard. */
const MIN_RESULT_CHARS = 120;
/** Share of lines that must be paths for a result to be a list of paths. */
const PATH_LINES = 0.9;

/**
 * The tool results that the answer to a conversation must not repeat, oldest first. Empty if there is nothing to
 * guard: no result of 120 characters or more follows the last user message, or that message asks for the text itself.
 * Lists of paths are left out if the user asked for a list of files.
 * @param messages as the caller sent them
 * @param sent as they go upstream, index by index the same messages; equal unless results were condensed
 */
export function resultsToGuard(
  messages: readonly ChatMessage[],
  sent: readonly ChatMessage[] = messages,
): readonly IndexedResult[] {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  const results = messages.flatMap(({ role, content }, message): IndexedResult[] => {
    if (role !== 'tool' || message < lastUser) {
      return [];
    }
    const text = contentText(content);
    const condensed = contentText(sent[message]?.content);
    return [condensed === text ? { message, text } : { message, text, condensed }];
  });
  if (!results.some(({ text }) => text.length >= MIN_RESULT_CHARS)) {
    return [];
  }
  const asked = contentText(messages[lastUser]?.content);
  if (asksForRawText(asked)) {
    return [];
  }
  return asksForList(asked) ? results.filter(({ text }) => !isPathList(text)) : results;
}

function isPathList(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const paths = lines.filter((line) => {
    const path = line.trim();
    return !path.includes(' ') && (path.includes('/') || path.includes('\\') || path.includes('.'));
  });
  return paths.length > 0 && paths.length >= PATH_LINES * lines.length;
}
