import { filledLines } from '../kit/filled-lines.js';
import { quantity } from '../kit/gap.js';
import { type Strategy } from '../kit/strategy.js';
import { mayBe } from '../protection/line-sample.js';
import { folderLines, folderOf } from './path-folders.js';

const MIN_PATHS = 12;

/** Number of paths up to which every name is kept, except in long numbered series. */
const KEEP_ALL = 1000;

/** Lines without a path, such as a total or an error, that a list may have. They are kept. */
const MAX_OTHER = 20;

const PATH = /^(?:[A-Za-z]:)?[^\s:*?"<>|;{}()=,']{1,600}(?: [^\s:*?"<>|;{}()=,']{1,60}){0,3}$/;

/** Lists of paths (`find`, `glob`): names grouped by folder; in large folders similar names are counted. */
export const pathListStrategy: Strategy = {
  rule: 'path_list',
  condense: (text) => {
    if (!mayBe(text, 0.6, isPath)) {
      return undefined;
    }
    const lines = filledLines(text);
    const paths = lines.filter(isPath);
    const others = lines.filter((line) => !isPath(line));
    const nested = paths.filter((path) => /[/\\]/.test(path)).length;
    if (
      paths.length < MIN_PATHS ||
      others.length > Math.min(MAX_OTHER, paths.length / 4) ||
      nested < paths.length * 0.6
    ) {
      return undefined;
    }
    const isThinned = paths.length > KEEP_ALL;
    const parts = folderLines(paths, { pathOf: (path) => path, isThinned });
    return [
      `[${quantity(paths.length, 'paths')} in ${quantity(new Set(paths.map(folderOf)).size, 'folders')}]`,
      ...parts,
      ...others,
    ].join('\n');
  },
};

function isPath(line: string): boolean {
  return line.length < 800 && PATH.test(line);
}
