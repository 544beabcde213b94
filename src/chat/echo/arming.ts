import { type ChatMessage, contentText } from '../interfaces/chat-message.js';
import { newestOwnMessage, withoutReminders } from '../interfaces/own-message.js';
import { isHitList, isLineList, isPathList, isPlaceList, isRecordList } from './list-of-lines.js';
import { type IndexedResult } from './match/echo-index.js';
import { asksBarely } from './request/bare-request.js';
import { asksForLayout } from './request/layout-request.js';
import {
  asksForList,
  asksForRecords,
  asksForSearch,
  asksForSelection,
  asksForWork,
  asksPlainly,
} from './request/list-request.js';
import { saysOwnUse } from './request/own-use.js';
import { asksForRawText } from './request/raw-text-request.js';
import { asksForRemoval } from './request/removal-request.js';
import { wordsOfResults } from './request/result-names.js';

/** Length in characters below which a result alone arms no guard. */
const MIN_RESULT_CHARS = 120;

/**
 * The tool results that the answer to a conversation must not repeat, oldest first. Empty if there is nothing to
 * guard: no result of 120 characters or more follows the newest message of the user's own, or the user asks for the
 * text itself, there or right behind results, or says nothing that goes beyond it. Lists of paths are left out if the
 * user asks for a list, those of other things only if he plainly asks for nothing else, and logs if he wants a
 * selection of their lines. Results tell whether he speaks of layout, or of taking something out.
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
  const calls = messages
    .slice(newestOwn + 1)
    .flatMap(({ tool_calls }) => tool_calls?.map((call) => call.function.arguments) ?? []);
  const words = wordsOfResults(
    results.map(({ text }) => text),
    calls,
  );
  if (asked.some((message) => asksForRawText(message, words.names))) {
    return [];
  }
  // All of it, so that "fix it" behind the results counts as well.
  const all = asked.join('\n');
  if (asksBarely(all, words.all) || saysOwnUse(all, words.all)) {
    return [];
  }
  const areRecordsAsked = asksForRecords(all) || asksPlainly(all);
  const arePathsAsked = areRecordsAsked || asked.some(asksForList);
  const exempt = [
    ...(arePathsAsked ? [isPathList] : []),
    ...(arePathsAsked && !asksForWork(all) ? [isPlaceList] : []),
    ...(areRecordsAsked ? [isRecordList] : []),
    ...(asksForSearch(all) || areRecordsAsked ? [isHitList] : []),
    ...(areRecordsAsked && asksForSelection(all) ? [isLineList] : []),
  ];
  const guarded = results.filter(({ text }) => !exempt.some((isExempt) => isExempt(text)));
  const asks = {
    ...(asksForLayout(all) && { isLayoutAsked: true }),
    ...(asksForRemoval(all) && { isRemovalAsked: true }),
  };
  return guarded.map((result) => ({ ...result, ...asks }));
}
