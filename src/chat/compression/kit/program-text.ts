import { compilePattern, inSequence, type PatternTable } from './pattern-table.js';

const NAME = /\(\s{0,9}[rbu]{0,2}\\?["'`]([^"'`\n]{1,400}?)\\?["'`]/;

/** Calls that open the file in their first argument, in the usual languages. */
export const OPENING_CALLS: PatternTable = {
  before: /\b/,
  alternatives: [
    ['any language', /open(?:Sync|Text)?/, "open('a.ts')"],
    ['Node', /(?:readFile(?:Sync)?|createReadStream)/, "readFileSync('a.ts', 'utf8')"],
    ['Deno and Bun', /(?:readTextFile(?:Sync)?|Bun\.file)/, "Deno.readTextFile('a.ts')"],
    ['Ruby', /(?:File|IO)\.(?:read|readlines|foreach)/, "File.read('a.ts')"],
    ['PHP', /(?:file_get_contents|readfile)/, "file_get_contents('a.ts')"],
    ['.NET', /ReadAll(?:Text|Lines)/, "File.ReadAllText('a.ts')"],
    ['path of Python', /Path(?=\([^()\n]{1,400}\)\.(?:read_|open))/, "Path('a.ts').read_text()"],
  ],
  // Neither opened to be written nor the address of a page.
  after: inSequence([NAME, /(?!\s{0,9},\s{0,9}(?:mode\s{0,9}=\s{0,9})?\\?["'][wax])/]),
};
const OPENING = new RegExp(compilePattern(OPENING_CALLS), 'g');

/** Longest program text that is searched, in characters. */
const MAX_CODE_CHARS = 20_000;

/** Paths that program text opens to read them: `open('a.ts').read()`. */
export function openedPaths(code: string): string[] {
  return [...code.slice(0, MAX_CODE_CHARS).matchAll(OPENING)]
    .map(([, path = '']) => path)
    .filter((path) => !path.includes('://'));
}

/** The lines of a notebook's cell that are for the shell, without their mark: `!cat a.ts`. */
export function shellLines(code: string): string {
  return code
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1))
    .join('\n');
}

/** Programs that call tools, as Codex has them written: `await tools.exec_command({ cmd: 'cat a.ts' })`. */
const TOOL_CALL = /\btools\.\w/;

/** A string, which no escaped quote begins. */
const STRING = /(?<!\\)(["'`])((?:(?!\1)[^\\]|\\[^]){1,4000})\1/g;

/** Whether a text is a program that calls tools. */
export function callsTools(text: string): boolean {
  return TOOL_CALL.test(text.slice(0, MAX_CODE_CHARS));
}

/** The strings of a program that calls tools, any of which may be a command line, wherever it is handed over. */
export function toolStrings(code: string): string[] {
  const strings = callsTools(code) ? code.slice(0, MAX_CODE_CHARS).matchAll(STRING) : [];
  return Array.from(strings, ([, , text = '']) => text.replaceAll('\\n', '\n').replaceAll(/\\(.)/g, '$1'));
}

/** A call of a tool, whose group may stand before its name, and the beginning of what it is given. */
const CALLED = /\btools((?:\s{0,9}\.\s{0,9}\w{1,200}){1,4})\s{0,9}\(([^()]{0,1000})/g;

/** A string behind its name, as in `path: "a.ts"`. */
const NAMED_STRING = /(\w{1,100})["']?\s{0,9}[:=]\s{0,9}(["'`])((?:(?!\2)[^\\\n]){1,400})\2/g;

/** One call of a tool within a program. */
export interface ProgramCall {
  /** Without the group that the tool belongs to. */
  readonly tool: string;
  /** Strings that it is given, by their names. */
  readonly values: Readonly<Record<string, string>>;
}

/** The tools that a program calls, as Vibe has them written: `await tools.file_system.read_file({ path: 'a.ts' })`. */
export function programCalls(code: string): ProgramCall[] {
  return Array.from(code.slice(0, MAX_CODE_CHARS).matchAll(CALLED), ([, chain = '', given = '']) => ({
    tool: chain.slice(chain.lastIndexOf('.') + 1).trim(),
    values: Object.fromEntries(
      Array.from(given.matchAll(NAMED_STRING), ([, name = '', , text = '']) => [name, text] as const),
    ),
  }));
}
