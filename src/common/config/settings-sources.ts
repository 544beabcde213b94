import { readFileSync } from 'node:fs';
import { jsonFaultAt } from '../files/json-fault.js';
import { type JsonName, jsonNames } from '../files/json-names.js';
import { isJsonObject } from '../text/json-object.js';
import { settingInfos } from './setting.decorators.js';
import { SettingsError } from './settings.errors.js';

/** A source of settings. An empty text or `null` in it means "not set". */
export interface SettingsSource {
  /** Name in messages. */
  readonly label: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Line of a key, from 1; undefined for a source without lines. */
  lineOf(key: string): number | undefined;
}

/**
 * The process environment. Most of it belongs to other programs, so unknown names are ignored.
 * @throws SettingsError if a secret cannot be read from its file, or the file is empty
 */
export function environmentSource(environment: NodeJS.ProcessEnv): SettingsSource {
  return { label: 'environment', values: knownOnly(environment, 'environment'), lineOf: () => undefined };
}

/**
 * The `.env` file.
 * @param text content of the file, for the lines of its keys
 * @param values the variables that ConfigModule parsed from it
 * @throws SettingsError as `environmentSource`, and if the parser has cut a value at a `#`
 */
export function dotEnvSource(path: string, text: string, values: NodeJS.Dict<string>): SettingsSource {
  const lineOf = (key: string): number | undefined => {
    const found = assignmentOf(text, key);
    return found && lineAt(text, found.index);
  };
  refuseCut(text, (name) => `(${path}, line ${lineOf(name)})`);
  return { label: path, values: knownOnly(values, path), lineOf };
}

/** The last one counts, as in the parser. Keys are setting names: nothing in them needs escaping. */
function assignmentOf(text: string, key: string): RegExpExecArray | undefined {
  const pattern = new RegExp(`^[^\\S\\n]*(?:export\\s+)?${key}(?:\\s*=|:\\s)(.*)`, 'gm');
  return [...text.matchAll(pattern)].at(-1);
}

/** A value without quotes that goes on behind a `#` without a space before it. */
const CUT_VALUE = /^\s*(?!['"`\s])[^#]*[^\s#]#/;

/** Of a key or a password, a part would be taken for the whole; other kinds of values are checked by their own rules. */
function refuseCut(text: string, placeOf: (name: string) => string): void {
  const cut = settingInfos()
    .filter(({ name, kind }) => kind === 'text' && CUT_VALUE.test(assignmentOf(text, name)?.[1] ?? ''))
    .map(({ name }) => `${name} has a # that ends it: put the value in quotes ${placeOf(name)}`);
  if (cut.length > 0) {
    throw new SettingsError(cut);
  }
}

/**
 * The JSON file. Unknown keys are kept, so that a misspelt one is reported; keys that begin with `//` are comments. A
 * missing file is an empty one, even if it was named: the settings page writes it.
 * @throws SettingsError if it cannot be read, holds no JSON object, or gives a name twice
 */
export function jsonSource(path: string): SettingsSource {
  const name = `CONFIG_FILE ${path}`;
  return jsonTextSource(readText(path, name), path, name);
}

/**
 * The settings in the text of a JSON file; an undefined text stands for a missing file.
 * @param name name of the file in messages
 * @throws SettingsError if the text is no JSON object, or gives a name twice
 */
export function jsonTextSource(text: string | undefined, label: string, name: string): SettingsSource {
  if (text === undefined) {
    return { label, values: {}, lineOf: () => undefined };
  }
  const values = Object.fromEntries(Object.entries(parseObject(text, name)).filter(isSetting));
  const names = jsonNames(text);
  refuseRepeated(names, ({ index }) => `${label}, line ${lineAt(text, index)}`);
  const lineOf = (key: string): number | undefined => {
    const found = names.find(({ path }) => path.length === 1 && path[0] === key);
    return found && lineAt(text, found.index);
  };
  return { label, values, lineOf };
}

function knownOnly(values: NodeJS.Dict<string>, label: string): Record<string, unknown> {
  return Object.fromEntries(
    settingInfos().flatMap(({ name, secret }) => {
      const given = spellingsOf(name)
        .map((spelling) => values[spelling])
        .find(Boolean);
      const value = secret ? secretFrom(name, values[`${name}_FILE`], given, label) : given;
      return value ? [[name, value]] : [];
    }),
  );
}

/**
 * The names of a setting in the environment, the one that wins first. What all programs share is known in small letters
 * too, which win as in curl.
 */
export function spellingsOf(name: string): readonly string[] {
  return name.endsWith('_PROXY') ? [name.toLowerCase(), name] : [name];
}

/** Docker and others hand secrets over as files, which no list of processes or containers shows. */
function secretFrom(
  name: string,
  file: string | undefined,
  given: string | undefined,
  label: string,
): string | undefined {
  if (!file) {
    return given;
  }
  if (given) {
    throw new SettingsError([`${name} and ${name}_FILE are both set (${label})`]);
  }
  const text = readText(file, `${name}_FILE ${file}`);
  if (text === undefined) {
    throw new SettingsError([`${name}_FILE ${file} does not exist`]);
  }
  const secret = text.trimEnd();
  if (secret === '') {
    // An empty text would mean "not set": without API_KEY, anyone would get in.
    throw new SettingsError([`${name}_FILE ${file} is empty`]);
  }
  return secret;
}

function isComment(key: string): boolean {
  return key.startsWith('//');
}

function isSetting([key, value]: [string, unknown]): boolean {
  return !isComment(key) && value !== null && value !== '';
}

/**
 * Text of a file; undefined if there is none.
 * @param name name of the file in messages
 * @throws SettingsError if the file exists and cannot be read
 */
export function readText(path: string, name: string): string | undefined {
  try {
    // Editors on Windows put a byte order mark first; it belongs to no key.
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') {
      return undefined;
    }
    throw new SettingsError([`${name} cannot be read (${code})`], { cause: error });
  }
}

function parseObject(text: string, name: string): object {
  if (text.trim() === '') {
    throw new SettingsError([`${name} is empty; it must hold one JSON object`]);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message quotes the text around the fault, which may be a secret.
    throw new SettingsError([`${name} is not valid JSON (line ${lineAt(text, jsonFaultAt(text))})`]);
  }
  if (!isJsonObject(value)) {
    throw new SettingsError([`${name} must hold one JSON object`]);
  }
  return value;
}

/** Of two values the parser takes the last, and a save from the page drops the other; only the writer knows which is meant. */
function refuseRepeated(names: readonly JsonName[], placeOf: (name: JsonName) => string): void {
  const repeated = names
    .filter(({ path: [setting = ''], isRepeated }) => isRepeated && !isComment(setting))
    .map((name) => `${name.path.join('.')} is given twice (${placeOf(name)})`);
  if (repeated.length > 0) {
    throw new SettingsError(repeated);
  }
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
