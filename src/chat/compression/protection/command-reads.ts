import { type SimpleCommand } from '../kit/shell-command.js';

/** Stands for files that are not in the command line. They may be anything. */
const ANY_FILE = '*';

/** Programs that print the files among their arguments. */
const WHOLE_FILE = new Set([
  ...['cat', 'bat', 'batcat', 'head', 'tail', 'less', 'more', 'nl', 'tac', 'zcat', 'zless', 'rev'],
  ...['pr', 'fold', 'expand', 'column', 'type', 'get-content', 'gc', 'sort', 'uniq', 'cut', 'paste', 'iconv'],
  ...['view', 'fmt', 'xmllint'],
]);

/** Programs for versions of files, and their verb that prints one. */
const PRINTING_VERB: ReadonlyMap<string, string> = new Map([
  ['hg', 'cat'],
  ['svn', 'cat'],
  ['p4', 'print'],
]);

/** Programs, and the end of a loop, that print what is redirected to them. */
const INPUT_ONLY = new Set(['tr', 'done']);

/** Programs that print files and take a script or a pattern as their first argument, or behind one of these options. */
const SCRIPTED: ReadonlyMap<string, RegExp> = new Map([
  ['sed', /^-[a-zA-Z]{0,8}[ef]$/],
  ['awk', /^-f$/],
  ['gawk', /^-f$/],
  ['jq', /^-f$/],
  ['yq', /^-f$/],
  ['perl', /^-[a-zA-Z]{0,8}[eE]$/],
]);

/** Programs that print the lines of files that match their first argument. */
const MATCHING = new Set(['grep', 'egrep', 'fgrep', 'zgrep', 'rg', 'ag', 'findstr']);

/** Patterns that any line matches. */
const ANY_LINE = /^\^?(?:\.\*?)?\$?$/;

/** Programs that run a command for each of many files, and the option in front of it; undefined if there is none. */
const FOR_EACH: ReadonlyMap<string, RegExp | undefined> = new Map([
  ['xargs', undefined],
  ['parallel', undefined],
  ['find', /^-(?:exec|ok)/],
  ['fd', /^-(?:x|X|-exec)/],
  ['fdfind', /^-(?:x|X|-exec)/],
]);

/** Paths of the files whose text a command prints, as they are written: `a.ts`, `$file`, `src/*`. */
export function filesReadBy(command: SimpleCommand): readonly string[] {
  const { program, args, inputs } = command;
  const operands = args.filter(isOperand);
  if (program === 'git') {
    return filesReadByGit(withoutGitOptions(args));
  }
  if (PRINTING_VERB.has(program)) {
    return filesBehindVerb(args, PRINTING_VERB.get(program) ?? '');
  }
  if (FOR_EACH.has(program)) {
    const before = FOR_EACH.get(program);
    const at = args.findIndex((arg) => WHOLE_FILE.has(arg) || arg === 'sed');
    return at >= 0 && (before?.test(args[at - 1] ?? '') ?? true) ? [ANY_FILE] : [];
  }
  if (WHOLE_FILE.has(program)) {
    return [...args.filter((arg, index) => isOperand(arg) && isFile(arg, args[index - 1])), ...inputs];
  }
  const option = SCRIPTED.get(program);
  if (option) {
    const isScript = (index: number): boolean => option.test(args[index - 1] ?? '');
    const files = args.some((arg) => option.test(arg))
      ? args.filter((arg, index) => isOperand(arg) && !isScript(index))
      : operands.slice(1);
    return [...files.filter((arg) => !/^[\d,$;]{1,40}p$/.test(arg)), ...inputs];
  }
  if (MATCHING.has(program)) {
    return printsMost(operands[0], args) ? [...operands.slice(1), ...inputs] : [];
  }
  if (program === 'dd') {
    return args.filter((arg) => arg.startsWith('if=')).map((arg) => arg.slice('if='.length));
  }
  if (program.startsWith('python') && args[1] === 'json.tool') {
    return [...operands.slice(1), ...inputs];
  }
  return INPUT_ONLY.has(program) ? inputs : [];
}

function isOperand(word: string): boolean {
  return !word.startsWith('-') || word === '-';
}

/** Whether a word is a file, and neither standard input nor the value of an option, as in `head -n 50` and `cut -d ,`. */
function isFile(word: string, before = ''): boolean {
  const isCount = /^[+-]?\d{1,9}[kKmM]?$/.test(word) && before.startsWith('-');
  return !isCount && !/^(?:-|\\t|[,;:| \t])$/.test(word);
}

/** Whether a search prints whole files, or all of them but a few lines: `grep '' file`, `grep -v '^#' file`. */
function printsMost(pattern: string | undefined, args: readonly string[]): boolean {
  const namesOnly = args.some((arg) => /^-(?:\w{0,8}[lLcq]|-files|-count|-quiet)/.test(arg));
  const isInverted = args.some((arg) => /^-(?:[a-zA-Z]{0,8}v|-invert-match$)/.test(arg));
  return !namesOnly && pattern !== undefined && (isInverted || ANY_LINE.test(pattern));
}

/** Operands of a verb, in front of which options and their values may stand: `hg -R repo cat a.ts`. */
function filesBehindVerb(args: readonly string[], verb: string): readonly string[] {
  const at = args.indexOf(verb);
  const before = args.slice(0, Math.max(0, at));
  const isVerb = before.every((arg, index) => arg.startsWith('-') || before[index - 1]?.startsWith('-'));
  return at >= 0 && isVerb ? args.slice(at + 1).filter(isOperand) : [];
}

/** Verb and operands of `git -C folder -c key=value show …`. */
function withoutGitOptions(args: readonly string[]): string[] {
  const verb = args.findIndex((arg, index) => !arg.startsWith('-') && !/^-[Cc]$/.test(args[index - 1] ?? ''));
  return args.slice(Math.max(0, verb)).filter((arg) => !arg.startsWith('-'));
}

function filesReadByGit(operands: readonly string[]): readonly string[] {
  const [verb, ...rest] = operands;
  if (verb === 'blame' || verb === 'annotate' || verb === 'format-patch') {
    return [ANY_FILE];
  }
  // `git show HEAD~2:src/a.ts` prints an earlier version of a file.
  const files = rest.filter((arg) => /^[^:/]{0,200}:[^/]/.test(arg));
  return verb === 'show' || verb === 'cat-file' ? files.map((arg) => arg.slice(arg.indexOf(':') + 1)) : [];
}
