import { isJsonObject, type JsonObject } from '../../../common/text/json-object.js';
import { parsedJson } from '../../../common/text/parsed-json.js';
import { inSequence } from './pattern-table.js';
import { callsTools, openedPaths, programCalls, shellLines, toolStrings } from './program-text.js';
import { parseCommand, type SimpleCommand } from './shell-command.js';

/** A tool call as the assistant wrote it. */
export interface ToolCallText {
  readonly name: string;
  /** JSON text of an object, as on the wire; anything else counts as no arguments. */
  readonly arguments: string;
  /** Whether its caller offers no tool for files, so that a command is the only way to open one. */
  readonly isOnlyReader?: boolean;
}

/** A tool that a program calls. */
export type CalledTool = Pick<ToolUse, 'name' | 'paths'>;

/** A tool call as far as its name and arguments can be understood. */
export interface ToolUse {
  /** Name of the tool in small letters and digits only: `mcp__fs__read_file` is `mcpfsreadfile`. */
  readonly name: string;
  /** Whether an argument of the tool is a command line. */
  readonly isShell: boolean;
  /** Whether a command opens what it prints, as there is no other tool for that. */
  readonly isOnlyReader: boolean;
  readonly commands: readonly SimpleCommand[];
  /** Paths that program text among the arguments opens to read them. */
  readonly opened: readonly string[];
  /** Tools that program text among the arguments calls. */
  readonly called: readonly CalledTool[];
  /** Paths among the arguments, in order. */
  readonly paths: readonly string[];
  /** Operation of an editor with several of them, such as `view` or `create`; undefined for other tools. */
  readonly verb: string | undefined;
}

const COMMAND_KEYS = ['command', 'cmd', 'script', 'commandline', 'shellcommand', 'bashcommand', 'commands'];
/** Arguments that name files, in snake case: one of these words alone, or behind a kind of path. */
const PATH_KEY = inSequence([
  /^(?:(?:absolute|relative|target|source|input|full|local)_?)?/,
  /(?:files?|paths?|filename|filepath|file_path|file_name|file_paths|notebook_path|uri|document)$/,
]);
const EDITOR_VERBS = new Set(['view', 'create', 'str_replace', 'insert', 'undo_edit', 'read', 'open']);

/** Longest arguments that are parsed, in characters: longer ones carry the content of a file to write. */
const MAX_ARGUMENT_CHARS = 200_000;

export function readToolUse(tool: ToolCallText): ToolUse {
  const values = parseArguments(tool.arguments);
  const name = plainName(tool.name);
  const command = commandText(values);
  const paths = namedPaths(values);
  const verb = operation(command ?? (paths.length > 0 ? (values.action ?? values.operation) : undefined));
  const line = verb === undefined ? command : undefined;
  const code = programText(values);
  return {
    name,
    isShell: line !== undefined,
    isOnlyReader: tool.isOnlyReader ?? false,
    commands: [line ?? shellLines(code), ...toolStrings(code)].flatMap((each) => parseCommand(each)),
    opened: openedPaths(line ?? code),
    called: programCalls(code).map((call) => ({
      name: plainName(call.tool),
      paths: namedPaths(call.values),
    })),
    paths,
    verb,
  };
}

/** The name of a tool in small letters and digits only. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Whether a shell tool ran one of the programs, e.g. `git`. */
export function ranProgram(use: ToolUse, ...programs: readonly string[]): boolean {
  return use.commands.some(({ program }) => programs.includes(program));
}

function parseArguments(json: string): JsonObject {
  if (json.length > MAX_ARGUMENT_CHARS) {
    return {};
  }
  const value = parsedJson(json);
  return isJsonObject(value) ? value : {};
}

function commandText(values: JsonObject): string | undefined {
  for (const [key, value] of Object.entries(values)) {
    if (!COMMAND_KEYS.includes(key.toLowerCase().replaceAll('_', ''))) {
      continue;
    }
    if (typeof value === 'string') {
      return value;
    }
    if (Array.isArray(value)) {
      const parts = value.filter((part) => typeof part === 'string');
      // One command in words, or several commands, as a shell of the Responses format takes them.
      return key.toLowerCase() === 'commands' ? parts.join('\n') : parts.map(quoted).join(' ');
    }
  }
  return undefined;
}

/** The word of an argument that says what an editor, or another tool with several operations on files, is to do. */
function operation(word: unknown): string | undefined {
  return typeof word === 'string' && EDITOR_VERBS.has(word) ? word : undefined;
}

/** Code for an interpreter, which Codex hands over as free input. */
function programText({ code, input }: JsonObject): string {
  if (typeof code === 'string') {
    return code;
  }
  return typeof input === 'string' && callsTools(input) ? input : '';
}

function quoted(word: string): string {
  return /^[\w./:=@%+-]{1,2000}$/.test(word) ? word : `'${word.replaceAll("'", '"')}'`;
}

function namedPaths(values: JsonObject, depth = 0): string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const isPath = PATH_KEY.test(key.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase());
    if (typeof value === 'string') {
      return isPath ? [value] : [];
    }
    const parts: unknown[] = Array.isArray(value) ? value.slice(0, 100) : [value];
    return parts.flatMap((part) => {
      if (typeof part === 'string') {
        return isPath ? [part] : [];
      }
      return isJsonObject(part) && depth < 2 ? namedPaths(part, depth + 1) : [];
    });
  });
}
