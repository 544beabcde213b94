import { anyWord, compilePattern, inSequence, type PatternTable } from '../kit/pattern-table.js';
import { plainName, type ToolUse } from '../kit/tool-use.js';
import { filesReadBy } from './command-reads.js';
import { isGenerated, type PathKind, pathKind } from './path-kind.js';

/** Kind of content that a call reads; `none` if it reads no file. */
export type ReadKind = PathKind | 'none';

/** Names of tools that hand over a file as it is, reduced to small letters and digits. */
export const READER_NAMES: PatternTable = {
  alternatives: [
    ['verb alone', /^(?:read|view|cat|open|show|head|tail|bat|less|more|sed|type)$/, 'view'],
    [
      'verb and file',
      inSequence([
        /(?:read|open|view|get|fetch|load|show|cat|print|display)/,
        /(?:a|the|text|media|source|raw|many|multiple|local|whole|entire|remote|repo|repository|project|workspace|git)?/,
        /(?:file|document|notebook|filecontent|source)/,
      ]),
      'mcpfilesystemreadtextfile',
    ],
    ['file and verb', /filecontent|fileread|fsread|notebookread/, 'fsread'],
    ['blame', /gitblame|gitannotate/, 'gitblame'],
  ],
};
const READER_NAME = compilePattern(READER_NAMES);

/** Readers of streams and pages, not of files. */
const STREAM_READER = /^read(log|console|network|web|url)/;

/** Tools with several operations on files, one of which is to view. */
const EDITOR = /editor|edittool/;

/** Parts of names of tools that take a path but do not return the content of the file. */
export const OTHER_TOOL_WORDS: readonly string[] = [
  ...['grep', 'search', 'find', 'glob', 'list', 'tree', 'query', 'symbol', 'reference', 'definition'],
  ...['write', 'edit', 'patch', 'replace', 'create', 'delete', 'remove', 'move', 'copy', 'rename'],
  ...['run', 'exec', 'test', 'lint', 'check', 'build', 'diagnostic'],
  ...['diff', 'log', 'history', 'status', 'stat', 'info', 'metadata', 'outline', 'web', 'url', 'http'],
];
const OTHER_TOOL = anyWord(OTHER_TOOL_WORDS);

/** Parts of names of tools that read a file if an argument is a path. */
const READING_WORD = /read|view|open|cat|show|get|fetch|load|head|tail|print|display|content|source/;

/** The kind of content that a call reads; the kind with the strictest protection if it reads several files. */
export function readKind(use: ToolUse): ReadKind {
  const printed = [...use.commands.flatMap(filesReadBy), ...use.opened];
  const called = use.called.filter(({ name }) => isReader(name));
  if (use.isShell || printed.length + called.length > 0) {
    return strictest([
      ...printed.map((path) => printedKind(path, use.isOnlyReader)),
      ...called.map(({ paths }) => pathsKind(paths)),
    ]);
  }
  if (use.verb !== undefined) {
    return ['view', 'read', 'open'].includes(use.verb) ? pathsKind(use.paths) : 'none';
  }
  if (isReader(use.name)) {
    return pathsKind(use.paths);
  }
  const mayRead = READING_WORD.test(use.name) && !OTHER_TOOL.test(use.name);
  return mayRead && use.paths.length > 0 ? pathsKind(use.paths) : 'none';
}

/** Whether one of the tools with these names opens files. */
export function opensFiles(names: readonly string[]): boolean {
  return names.map(plainName).some((name) => isReader(name) || EDITOR.test(name));
}

function isReader(name: string): boolean {
  return READER_NAME.test(name) && !STREAM_READER.test(name);
}

/** Kind of what a tool for files hands over. A call that names no file may have read source code. */
function pathsKind(paths: readonly string[]): ReadKind {
  return paths.length === 0 ? 'source' : strictest(paths.map(openedKind));
}

/**
 * Kind of a file that is opened: a table that no program has written may be about to be edited, which a command would not
 * have been used for if there were a tool for files.
 */
function openedKind(path: string): ReadKind {
  const kind = pathKind(path);
  return kind === 'data' && !isGenerated(path) ? 'source' : kind;
}

function strictest(kinds: readonly ReadKind[]): ReadKind {
  const order: readonly ReadKind[] = ['source', 'text', 'data', 'log'];
  return order.find((kind) => kinds.includes(kind)) ?? 'none';
}

/** Kind of a file that a command prints. */
function printedKind(path: string, isOpened: boolean): ReadKind {
  if (path.startsWith('/dev/') || path.startsWith('/proc/')) {
    return 'none';
  }
  // Variables and patterns, as in `cat $f` and `cat src/*`, have no known extension and count as source code.
  return isOpened ? openedKind(path) : pathKind(path);
}
