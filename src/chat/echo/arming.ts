import { type ChatMessage, contentText } from '../interfaces/chat-message.js';
import { newestOwnMessage, withoutReminders } from '../interfaces/own-message.js';
import { type IndexedResult } from './match/echo-index.js';
import { asksForList, asksForRawText } from './request/raw-text-request.js';

/** Length in characters below which a result alone arms no guard. */
const MIN_RESULT_CHARS = 120;
/** Share of lines that must be paths for a result to be a list of paths. */
const PATH_LINES = 0.9;

/**
 * The tool results that the answer to a conversation must not repeat, oldest first. Empty if there is nothing to
 * guard: no result of 120 characters or more follows the newest message of the user's own, or the user asks for the text
 * itself, there or right behind results. Lists of paths are left out if the user asks for a list of files.
 * @param messages as the caller sent them
 * @param sent as they go upstream, index by index the same messages; equal unless results were condensed
 */
export function resultsToGuard(
  messages: readonly ChatMessage[],
  sent: readonly ChatMessage[] = messages,
): readonly IndexedResult[] {
  const newestOwn = newestOwnMessage(messages);
  const results = messages.flatMap(({ role, content }, message): IndexedResult[] => {
    if (role !== 'tool' || message < newestOwn) {
      return [];
    }
    const text = contentText(content);
    const condensed = contentText(sent[message]?.content);
    return [condensed === text ? { message, text } : { message, text, condensed }];
  });
  if (!results.some(({ text }) => text.length >= MIN_RESULT_CHARS)) {
    return [];
  }
  const asked = messages.flatMap(({ role, content }, message) =>
    role === 'user' && message >= newestOwn ? [withoutReminders(contentText(content))] : [],
  );
  if (asked.some(asksForRawText)) {
    return [];
  }
  return asked.some(asksForList) ? results.filter(({ text }) => !isPathList(text)) : results;
}

function isPathList(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const paths = lines.filter((line) => {
    const path = line.trim();
    return !path.includes(' ') && (path.includes('/') || path.includes('\\') || path.includes('.'));
  });
  return paths.length > 0 && paths.length >= PATH_LINES * lines.length;
}
