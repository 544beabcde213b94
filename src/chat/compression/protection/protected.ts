import { type ToolUse } from '../kit/tool-use.js';
import { readKind } from './file-reads.js';
import { isUntouchable } from './protected-looks.js';
import { timedShare } from './source-looks.js';

/** A log's lines carry times; a text file whose lines do is one. */
const MIN_TIMED = 0.5;

/**
 * Whether a result is never touched, by what the call read and by what the text looks like. Asked before anything
 * else; source code, configuration and prose that no call named are told by their looks later, when the text has
 * turned out to be no data either.
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

/** A JSON file that is one object is as likely settings as data; only rows are surely data. XML tells by its root. */
function isPartOrSettings(text: string): boolean {
  const start = text.trimStart();
  return start.startsWith('{') && !/^\{[^\n]{1,20000}\}\r?\n[ \t]{0,8}\{/.test(start);
}
