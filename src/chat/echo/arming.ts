import { type ChatMessage, contentText } from '../interfaces/chat-message.js';
import { type IndexedResult } from './match/echo-index.js';
import { asksForList, asksForRawText } from './request/raw-text-request.js';

/** Shorter results are not worth a guard. */
const MIN_RESULT_CHARS = 120;
/** Share of lines that must be paths for a result to be a list of them. */
const PATH_LINES = 0.9;

/**
 * The tool results that an answer to this conversation must not repeat, oldest first; none if there is nothing to
 * guard: no result of 120 characters follows the last user message, or that message asks for the text itself. A list
 * of paths is left out where a list of files was asked for.
 * @param messages as the caller sent them
 * @param sent as they go upstream, one for one; the same unless results were condensed
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
