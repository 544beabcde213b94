import { isTimed } from '../protection/source-looks.js';
import { cellNumber } from '../rows/cell-values.js';
import { PROGRESS } from './file-list.js';

/** A line about one file: its status, the outcome of a check, its size. */
export interface LabelledPath {
  /** Empty for a line that is nothing but a path. */
  readonly label: string;
  readonly path: string;
  /** The number that the label is, with the drawing of `--stat` or not, or several; undefined for words. */
  readonly amounts: readonly number[] | undefined;
  /** The line as it was written. */
  readonly line: string;
}

/** ` M src/a.ts`, `would reformat src/a.ts`, `[warn] src/a.ts`, `12<tab>5<tab>src/a.ts`, `deleted:    src/a.ts`. */
const LABEL_FIRST =
  /^[ \t]{0,12}([^\s"'`{}=;<>/\\][^"'`{}=;<>/\\]{0,128}?)[ \t]{1,12}([^\s"'`{}()=;,<>|]{1,400})$/;

/** `src/a.ts: ok`, `src/a.ts:12`, `src/a.ts | 12 ++-`. */
const PATH_FIRST =
  /^[ \t]{0,12}([^\s"'`{}()=;,<>|:]{1,400})(?::|[ \t]{1,100}\||[ \t]{1,8})[ \t]{0,100}([^"'`{}=;<>/\\|]{1,40})$/;

/** `example.org/shop github.com/lib@v1.2.0`: what a module needs. */
const PAIR = /^([^\s"'`{}()=;,<>|:]{1,300}) ([^\s"'`{}()=;,<>|:]{1,300})$/;

const BARE = /^[ \t]{0,12}([^\s"'`{}()=;,<>|:]{1,400})$/;

/** Signs of lists in Markdown and YAML, and branches of a drawn tree. */
const BULLET = /^(?:[-*+#>|]|[│├└─` ]{1,80})$/;

const MAX_LINE = 600;

/**
 * Reads a line that holds a path and hardly anything else; undefined for other lines, for records of logs, and for the
 * progress of a build, which lists nothing that someone asked for.
 */
export function readLabelledPath(line: string): LabelledPath | undefined {
  if (line.length > MAX_LINE || isTimed(line) || PROGRESS.test(line)) {
    return undefined;
  }
  const first = LABEL_FIRST.exec(line);
  if (first && isPath(first[2] ?? '') && !BULLET.test(first[1] ?? '')) {
    return entry(first[1] ?? '', first[2] ?? '', line);
  }
  const last = PATH_FIRST.exec(line);
  if (last && isPath(last[1] ?? '')) {
    return entry((last[2] ?? '').trim(), last[1] ?? '', line);
  }
  const [, owner = '', owned = ''] = PAIR.exec(line) ?? [];
  if (isPath(owner) && isPath(owned)) {
    return entry(owner, owned, line);
  }
  const bare = BARE.exec(line)?.[1] ?? '';
  return isPath(bare) ? entry('', bare, line) : undefined;
}

function entry(label: string, path: string, line: string): LabelledPath {
  return { label, path, amounts: amountsOf(label.replace(/ [+-]{1,200}$/, '')), line };
}

/** A number, in units or not, or several: of `git diff --numstat`, of `wc`. */
function amountsOf(label: string): readonly number[] | undefined {
  if (!/^[\d.]/.test(label)) {
    return undefined;
  }
  // One number may have its unit behind a blank.
  const whole = cellNumber(label);
  const numbers = whole === undefined ? label.split(/[ \t]{1,20}/).map(cellNumber) : [whole];
  const amounts = numbers.filter((number) => number !== undefined);
  return amounts.length === numbers.length ? amounts : undefined;
}

/** Whether a word has a folder or an extension, and is no URL. */
function isPath(word: string): boolean {
  return (
    /[^/\\][/\\]|^\.{0,2}[/\\]\w|[\w)\]-]\.[A-Za-z]\w{0,9}$|^\.[a-z][\w-]{2,30}$/.test(word) &&
    /[A-Za-z]/.test(word) &&
    !word.includes('://')
  );
}
