import { type Settings } from '../../common/config/settings.js';

export type LogContent = Settings['LOG_CONTENT'];

/** Characters kept of each text with `preview`. */
export const PREVIEW_CHARS = 500;

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
