import { type CallableTool } from '../../calls/callable-tool.js';
import { type Input, type Parsing } from '../../text/input.js';
import { tagBehindText } from '../../text/next-tag.js';
import { peekDecisive } from '../../text/scan.js';
import { endsCall } from '../../text/tags.js';
import { MAX_UNDECIDED } from '../call-fence.js';
import { isLast } from './last-call.js';

/** `city: Paris` of YAML, or `city = "Paris"`. Groups 2: the key, 3: the value. */
const MEMBER = /^\s*(["']?)([\w$-]+)\1[^\S\n]*[:=][^\S\n]*(.*)$/;

/** A further member in the line of the first: `city: Paris, days: 2`. Group 1: its key. */
const FURTHER_KEY = /,\s*["']?([\w$-]+)["']?\s*[:=]/;

/** The beginning of such a line. Group 1: the key. */
const FIRST_KEY = /^\s*["']?([\w$-]+)["']?[^\S\n]*[:=][^=]/;
const PARTIAL_FIRST_KEY = /^\s*["']?[\w$-]*["']?[^\S\n]*[:=]?$/;
const MAX_FIRST_KEY = 80;

/** What YAML has in place of a value on the same line. */
const NO_VALUE = /^(?:[|>][-+\d]*|[-&*!].*)?$/;

/** An item of a list below its key. Group 1: its value. */
const ITEM = /^\s*-\s+(\S.*)$/;

/** Arguments in lines, as texts by key. */
export interface MemberLines {
  readonly members: ReadonlyMap<string, string>;
  /** Characters up to the closing tag. */
  readonly length: number;
}

/**
 * Arguments of a tool as lines of keys and values, `offset` characters behind the cursor: all that stands in front of a
 * closing tag, which belongs to the last calls of the answer. Undefined if any line is something else, a key is none of
 * the tool, or a required one is missing. Consumes nothing.
 */
export function* memberLines(input: Input, tool: CallableTool, offset = 0): Parsing<MemberLines | undefined> {
  const beginning = yield* peekDecisive(input, PARTIAL_FIRST_KEY, MAX_FIRST_KEY, offset);
  const first = FIRST_KEY.exec(beginning)?.[1];
  const found =
    first !== undefined && tool.declares(first)
      ? yield* tagBehindText(input, offset, MAX_UNDECIDED)
      : undefined;
  if (!found || !endsCall(found.tag) || !(yield* isLast(input, found.offset))) {
    return undefined;
  }
  const members = membersOf(input.text.slice(input.at + offset, input.at + found.offset), tool);
  return members && { members, length: found.offset };
}

/** The members in lines; undefined if a line is anything else, or a required member is missing. */
function membersOf(text: string, tool: CallableTool): ReadonlyMap<string, string> | undefined {
  const members = new Map<string, string>();
  const lines = text.trim().split(/\r?\n/);
  while (lines.length > 0) {
    const [, , key = '', value = ''] = MEMBER.exec(lines.shift()!.trimEnd()) ?? [];
    const read = NO_VALUE.test(value) ? valueBelow(value, lines) : unquoted(value);
    const isSole = !tool.declares(FURTHER_KEY.exec(value)?.[1] ?? '');
    if (read === undefined || !isSole || !tool.declares(key) || members.has(key)) {
      return undefined;
    }
    members.set(key, read);
  }
  return tool.required.every((key) => members.has(key as string)) ? members : undefined;
}

/** Takes the value of a key from the lines below it: a list, or a text behind `|`. */
function valueBelow(sign: string, lines: string[]): string | undefined {
  if (sign === '|' || sign === '|-') {
    const indent = /^[^\S\n]+/.exec(lines[0] ?? '')?.[0];
    const isInside = (line: string): boolean => line.trim() === '' || line.startsWith(indent!);
    const text = indent === undefined ? [] : taken(lines, isInside).map((line) => line.slice(indent.length));
    return text.length > 0 ? text.join('\n').trimEnd() + (sign === '|' ? '\n' : '') : undefined;
  }
  const items = sign === '' ? taken(lines, (line) => ITEM.test(line)) : [];
  return items.length > 0 ? JSON.stringify(items.map((line) => unquoted(ITEM.exec(line)![1]!))) : undefined;
}

/** Takes the first lines that fulfil a condition. */
function taken(lines: string[], isMeant: (line: string) => boolean): string[] {
  const end = lines.findIndex((line) => !isMeant(line));
  return lines.splice(0, end < 0 ? lines.length : end);
}

/** A value without the quotes around all of it. */
function unquoted(value: string): string {
  const [, , text] = /^(["'])((?:(?!\1|\\).)*)\1,?$/.exec(value) ?? [];
  return text ?? value;
}
