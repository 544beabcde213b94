import { type Settings } from '../../common/config/settings.js';

export type LogContent = Settings['LOG_CONTENT'];

/** Characters kept of each text with `preview`. */
export const PREVIEW_CHARS = 500;

/** Whole length of a text that is kept in part; nothing of one that is kept whole. */
export function cutLength(text: string, mode: LogContent): { readonly chars?: number } {
  return mode === 'preview' && text.length > PREVIEW_CHARS ? { chars: text.length } : {};
}

/** Length of the excerpt that identifies a request in a list, in characters. */
const EXCERPT_CHARS = 120;
/** Read of a text for its excerpt: white space at its beginning must not make it long. */
const EXCERPT_READ = 1000;

/** The beginning of a text in one line; undefined with `none`, or without words. */
export function requestExcerpt(text: string, mode: LogContent): string | undefined {
  const line = text.slice(0, EXCERPT_READ).replace(/\s+/g, ' ').trim();
  if (mode === 'none' || line === '') {
    return undefined;
  }
  return line.length > EXCERPT_CHARS ? `${line.slice(0, EXCERPT_CHARS)}…` : line;
}

/** The part of a text kept by the log; undefined with `none`. */
export function keptText(text: string, mode: LogContent): string | undefined {
  switch (mode) {
    case 'none':
      return undefined;
    case 'preview':
      return text.slice(0, PREVIEW_CHARS);
    case 'full':
      return text;
  }
}
