import { type OfferedTool, type ParameterSchema } from './sandbox-tools.js';
import { type Wish } from './sandbox-wishes.js';

export interface Call {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Where a parameter of a tool takes a part of a wish. */
const PARAMETERS = {
  path: /^(?:(?:absolute|relative|target|full)?_?(?:file)?_?(?:path|name)|file|filename|target_?file|uri|notebook_path)$/i,
  folder: /path|dir|folder|root|cwd/i,
  content: /^(?:file_?)?(?:contents?|text|body|data|code|new_?content|source)$|^file_text$/i,
  command: /^(?:command|cmd|script|code|commands)$/i,
  pattern: /^(?:pattern|query|regex|search|search_?term|q|text|keyword)s?$/i,
} as const;
type Part = keyof typeof PARAMETERS;

/** Words of tool names and of the choices of a `command` parameter, best first. */
const WORDS: Readonly<Record<Wish['kind'], readonly string[]>> = {
  write: ['write', 'create', 'save', 'put', 'new', 'add', 'store'],
  read: ['read', 'view', 'cat', 'open', 'get', 'show', 'load', 'fetch'],
  list: ['list', 'ls', 'dir', 'directory', 'tree', 'glob', 'folder'],
  run: ['bash', 'shell', 'command', 'terminal', 'run', 'exec', 'execute'],
  search: ['grep', 'search', 'find', 'rg', 'glob'],
};

const PARTS: Readonly<Record<Wish['kind'], readonly Part[]>> = {
  write: ['path', 'content'],
  read: ['path'],
  list: [],
  run: ['command'],
  search: ['pattern'],
};

/** The call that carries out a wish, by the best of the tools or, if need be, by a shell; undefined if none can. */
export function callForWish(wish: Wish, tools: readonly OfferedTool[], folder?: string): Call | undefined {
  const found = best(tools, (tool) => fitness(tool, wish.kind));
  if (found) {
    return toCall(found, wish, folder);
  }
  if (wish.kind === 'run') {
    return undefined;
  }
  const shell = best(tools, (tool) => fitness(tool, 'run'));
  return shell && toCall(shell, { kind: 'run', command: shellCommand(wish) }, folder);
}

/** The words of a name: `readFile`, `read_file` and `fs.read-file` hold `read` and `file`. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

export function best<T>(all: readonly T[], scoreOf: (one: T) => number): T | undefined {
  let found: T | undefined;
  let most = 0;
  for (const one of all) {
    const score = scoreOf(one);
    if (score > most) {
      found = one;
      most = score;
    }
  }
  return found;
}

/** How well a tool does a kind of thing; 0 for not at all. */
function fitness(tool: OfferedTool, kind: Wish['kind']): number {
  const { properties = {}, required = [] } = tool.parameters;
  const parts = PARTS[kind].map((part) => keyOf(properties, part));
  if (
    parts.includes(undefined) ||
    (kind === 'read' && required.some((key) => PARAMETERS.content.test(key)))
  ) {
    return 0;
  }
  const words = wordsOf(tool.name);
  const rank = WORDS[kind].findIndex(
    (word) => words.includes(word) || choice(properties, word) !== undefined,
  );
  if (rank === -1) {
    return 0;
  }
  // A tool that needs nothing else is the plainer one; one whose name says `file` is meant for files.
  const others = required.filter((key) => !parts.includes(key)).length;
  const isForFiles = words.includes('file') || parts.length === 0 ? 2 : 0;
  return 100 - 4 * rank - others + isForFiles;
}

function toCall({ name, parameters }: OfferedTool, wish: Wish, folder: string | undefined): Call {
  const { properties = {}, required = [] } = parameters;
  const given = new Map<string, unknown>();
  const give = (part: Part, text: string): void => {
    const key = keyOf(properties, part);
    if (key !== undefined) {
      given.set(key, listed(properties[key]!, part === 'command' ? ['bash', '-lc', text] : [text], text));
    }
  };
  const chosen = WORDS[wish.kind]
    .map((word) => choice(properties, word))
    .find((found) => found !== undefined);
  if (chosen) {
    given.set(chosen.key, chosen.value);
  }
  switch (wish.kind) {
    case 'write':
      give('content', wish.content);
      give('path', located(wish.path, properties, folder));
      break;
    case 'read':
      give('path', located(wish.path, properties, folder));
      break;
    case 'list':
      give('folder', wish.path === '.' && folder !== undefined ? folder : wish.path);
      give('pattern', '*');
      break;
    case 'run':
      give('command', wish.command);
      break;
    case 'search':
      give('pattern', wish.pattern);
      break;
  }
  for (const key of required) {
    if (!given.has(key)) {
      given.set(key, plausibleValue(key, properties[key] ?? {}, `The sandbox carries out: ${wish.kind}.`));
    }
  }
  return { name, arguments: Object.fromEntries(given) };
}

function keyOf(properties: Readonly<Record<string, ParameterSchema>>, part: Part): string | undefined {
  return Object.keys(properties).find((key) => PARAMETERS[part].test(key) && !properties[key]?.enum);
}

/** A parameter that chooses what the tool does, where one of its choices begins with the word. */
function choice(
  properties: Readonly<Record<string, ParameterSchema>>,
  word: string,
): { key: string; value: string } | undefined {
  for (const [key, schema] of Object.entries(properties)) {
    const value = schema.enum?.find((one) => typeof one === 'string' && wordsOf(one)[0] === word);
    if (value !== undefined && /command|action|operation|mode|method/i.test(key)) {
      return { key, value: value as string };
    }
  }
  return undefined;
}

function listed(schema: ParameterSchema, list: readonly string[], text: string): unknown {
  return schema.type === 'array' ? list : text;
}

/** A path as the tool wants it: some take absolute ones only. */
function located(
  path: string,
  properties: Readonly<Record<string, ParameterSchema>>,
  folder: string | undefined,
): string {
  const key = keyOf(properties, 'path');
  const wantsAbsolute = key !== undefined && /absolute/i.test(`${key} ${properties[key]?.description ?? ''}`);
  const isAbsolute = /^(?:[\\/~]|[A-Za-z]:\\)/.test(path);
  return wantsAbsolute && !isAbsolute && folder !== undefined
    ? `${folder.replace(/[\\/]$/, '')}/${path.replace(/^\.\//, '')}`
    : path;
}

function shellCommand(wish: Exclude<Wish, { kind: 'run' }>): string {
  switch (wish.kind) {
    case 'write':
      return `printf %s ${quoted(wish.content)} > ${quoted(wish.path)}`;
    case 'read':
      return `cat ${quoted(wish.path)}`;
    case 'list':
      return `ls ${quoted(wish.path)}`;
    case 'search':
      return `grep -rn -- ${quoted(wish.pattern)} .`;
  }
}

function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Some value that a schema admits. */
export function plausibleValue(key: string, schema: ParameterSchema, text: string): unknown {
  if (schema.const !== undefined || schema.default !== undefined) {
    return schema.const ?? schema.default;
  }
  if (schema.enum && schema.enum.length > 0) {
    return schema.enum[0];
  }
  const alternative = (schema.anyOf ?? schema.oneOf)?.find(({ type }) => type !== 'null');
  if (alternative) {
    return plausibleValue(key, alternative, text);
  }
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.find((one) => one !== 'null');
  switch (type) {
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'array':
      return schema.items ? [plausibleValue(key, schema.items, text)] : [];
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [
          name,
          plausibleValue(name, schema.properties?.[name] ?? {}, text),
        ]),
      );
    case undefined:
    default:
      return text;
  }
}
