import { type Settings } from '../../common/config/settings.js';

export type LogContent = Settings['LOG_CONTENT'];

/** How much of each text a preview keeps, in characters. */
export const PREVIEW_CHARS = 500;

/** A text as the log keeps it by `LOG_CONTENT`; undefined if it keeps none. */
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
