import { keptText, type LogContent } from '../../logs/records/log-content.js';
import { type CondensedRecord, type RequestDetails } from '../../logs/records/request-log-entry.js';
import { type CondensedMessage } from '../compression/condense-messages.js';

/** Log details of condensed tool results; nothing if none was condensed. */
export function condensedDetails(condensed: readonly CondensedMessage[], mode: LogContent): RequestDetails {
  return condensed.length === 0 ? {} : { condensed: condensed.map((message) => toRecord(message, mode)) };
}

function toRecord(
  { index, tool, rules, before, after }: CondensedMessage,
  mode: LogContent,
): CondensedRecord {
  const texts = { before: keptText(before, mode), after: keptText(after, mode) };
  return {
    message: index,
    tool,
    rules: [...new Set(rules.map(({ rule }) => rule))],
    before: before.length,
    after: after.length,
    ...(texts.before !== undefined && texts.after !== undefined
      ? { content: { before: texts.before, after: texts.after } }
      : {}),
  };
}
