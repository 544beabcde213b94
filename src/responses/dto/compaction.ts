import { carriedText } from '../../chat/dto/carried-text.js';
import { BEFORE_SUMMARY } from '../../chat/dto/summary.js';
import { type InputItem } from './input-items.validator.js';
import { bringsTools } from './response-tools.js';

/** As the last item of the input it asks for a summary of the conversation instead of an answer. */
export const COMPACTION_TRIGGER: InputItem = { type: 'compaction_trigger' };

/** What the model is asked then. */
export const SUMMARY_REQUEST = `The conversation is about to be replaced by a summary, after which you go on from that summary and from what the user has said. Write it now, for yourself:

- what the user wants, with all wishes and limits that still hold;
- what has been done and decided, and why;
- the state of things, with exact names: files, commands, identifiers, values, errors;
- what is left to do, beginning with the next step.

Do not call a tool, and write nothing but the summary.`;

export function asksForSummary(input: readonly InputItem[]): boolean {
  return input.at(-1)?.type === COMPACTION_TRIGGER.type;
}

export function isCompaction({ type }: InputItem): boolean {
  return type === 'compaction';
}

/** What a caller that keeps its conversation itself sends on beside the summary. */
export function saidByUser(items: readonly InputItem[]): readonly InputItem[] {
  return items.filter(({ type, role }) => type === 'message' && role === 'user');
}

/**
 * What stays of a stored conversation beside its summary: besides what the user said, what the caller sent once for all of
 * it. Of a search for tools only these stay, since its call is gone.
 */
export function besideSummary(items: readonly InputItem[]): readonly InputItem[] {
  return items.flatMap((item) => {
    if (bringsTools(item)) {
      return [{ type: 'additional_tools', tools: item.tools }];
    }
    const isOfCaller = item.type === 'message' && item.role !== 'assistant';
    return isOfCaller || item.type === 'configuration_update' ? [item] : [];
  });
}

/** A summary as the model is told of it; undefined for one of another server, which that alone can read. */
export function summaryMessage({ encrypted_content: carried }: InputItem): InputItem | undefined {
  const text = carriedText(carried);
  // Said by the user, with whom some chat templates demand that a conversation begins.
  return text === '' ? undefined : { type: 'message', role: 'user', content: BEFORE_SUMMARY + text };
}
