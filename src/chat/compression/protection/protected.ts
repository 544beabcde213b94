import { type ToolUse } from '../kit/tool-use.js';
import { readKind } from './file-reads.js';
import { isUntouchable } from './protected-looks.js';
import { timedShare } from './source-looks.js';

/** Share of lines that must begin with a time for a text file to be a log. */
const MIN_TIMED = 0.5;

/**
 * Whether a result must never change, judged by the files that the call read and by the content. This is the first
 * question about every text. Source code, configuration and prose in results of other calls are recognised later,
 * once no structured format has taken the text.
 * @param text as a terminal would show it
 */
export function isProtected(text: string, use: ToolUse): boolean {
  const read = readKind(use);
  if (read === 'source' || (read === 'text' && timedShare(text) < MIN_TIMED)) {
    return true;
  }
  if (read === 'data' && isPartOrSettings(text)) {
    return true;
  }
  return isUntouchable(text, read === 'log' || read === 'text');
}

/**
 * Whether a data file is not certain to be rows of data: a JSON file with a single object may as well be settings.
 * XML is judged by its root element instead.
 */
function isPartOrSettings(text: string): boolean {
  const start = text.trimStart();
  return start.startsWith('{') && !/^\{[^\n]{1,20000}\}\r?\n[ \t]{0,8}\{/.test(start);
}
