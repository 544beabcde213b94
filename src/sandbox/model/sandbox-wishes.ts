/** Something that a request asks for, step by step, in the words of nobody's tools. */
export type Wish =
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'list'; readonly path: string }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'search'; readonly pattern: string };

export const DEFAULT_CONTENT = 'This file was written by the sandbox.\n';

/** Longer texts are not gone through word by word: no one asks for so many things. */
const MAX_CHARS = 20_000;

const QUOTED = /"([^"\n]+)"|“([^”\n]+)”|'([^'\n]+)'(?!\w)|`([^`\n]+)`/;
const PATH =
  /(?:^|[\s"“'`(])((?:[A-Za-z]:\\|~?\/|\.{1,2}\/)?(?:[\w@.-]+[\\/])*(?:[\w@-][\w@.-]*\.[A-Za-z]\w{0,9}|\.[a-z]\w+|Makefile|Dockerfile))(?=$|[\s"”'`),:;?!]|\.(?:\s|$))/;
const CONTENT =
  /\b(?:contents?|containing|contains|text|saying|says|with the (?:line|words?)|reads?)\b(?:\s+(?:exactly|is|of|this|the text|the following|the line|as follows))*\s*:?\s*/i;
const FENCE = /```[^\n]*\n([\s\S]*?)```/;

/** The verbs that begin a wish, wherever they stand in a sentence. */
const VERBS = new RegExp(
  [
    '(?<write>creat(?:e|ing)|writ(?:e|ing)|sav(?:e|ing)|mak(?:e|ing)|generate|put|add)',
    '(?<read>read(?:ing)?|show|open|view|print|display|cat|look at|check)',
    '(?<list>list)',
    '(?<run>run|execute)',
    '(?<search>search|grep|find|look for)',
  ]
    .map((group) => `\\b${group}\\b`)
    .join('|'),
  'gi',
);

const COMMAND = /^\w+\s+(?:the (?:shell )?command:?\s+)?([^\n]+)/i;

/** What follows is a command, whatever its first word is. */
const RUN = /\b(?:run|execute)\s+(?:the (?:shell )?command:?\s+)?$/i;

/** The wishes of a request, in order. What it asks for in a way that is not understood is left out. */
export function readWishes(request: string): Wish[] {
  const text = withoutBlocks(request.slice(0, MAX_CHARS));
  const wishes: Wish[] = [];
  let path: string | undefined;
  for (const { verb, clause } of clauses(text)) {
    const named = pathIn(clause);
    path = named ?? path;
    const wish = toWish(verb, clause, named, path, text);
    if (wish) {
      wishes.push(wish);
    }
  }
  return wishes;
}

/** What agents add to a message for the model alone stands between tags on lines of their own. */
function withoutBlocks(text: string): string {
  return text.replace(/^<([a-z][\w-]*)>\n[\s\S]*?\n<\/\1>$/gim, ' ');
}

interface Clause {
  readonly verb: Wish['kind'];
  readonly clause: string;
}

/** From each verb to the next. Words in quotes, code and file contents are no verbs. */
function clauses(text: string): Clause[] {
  const masked = text
    .replace(new RegExp(FENCE, 'g'), (found) => '\0'.repeat(found.length))
    .replace(new RegExp(QUOTED, 'g'), (found) => '\0'.repeat(found.length))
    .replace(/[\w.-]*[./\\][\w./\\-]+/g, (found) => '\0'.repeat(found.length))
    .replace(/\b(?:that|which) reads\b/gi, (found) => '\0'.repeat(found.length));
  const found = [...masked.matchAll(VERBS)].filter(
    ({ index }) => !RUN.test(masked.slice(Math.max(0, index - 40), index)),
  );
  return found.map((match, index) => ({
    verb: Object.entries(match.groups ?? {}).find(([, word]) => word !== undefined)![0] as Wish['kind'],
    clause: text.slice(match.index, found[index + 1]?.index),
  }));
}

function toWish(
  verb: Wish['kind'],
  clause: string,
  named: string | undefined,
  path: string | undefined,
  text: string,
): Wish | undefined {
  switch (verb) {
    case 'write':
      return named !== undefined || /\bfile\b/i.test(clause)
        ? { kind: 'write', path: named ?? pathIn(text) ?? 'sandbox.txt', content: contentIn(clause, named) }
        : undefined;
    case 'read':
      return path !== undefined && (named !== undefined || /\b(?:it|file|back|contents?)\b/i.test(clause))
        ? { kind: 'read', path }
        : undefined;
    case 'list':
      return { kind: 'list', path: named ?? folderIn(clause) ?? '.' };
    case 'run': {
      const command = quotedIn(clause) ?? phraseOf(COMMAND.exec(clause)?.[1] ?? '');
      return command ? { kind: 'run', command } : undefined;
    }
    case 'search': {
      const pattern = quotedIn(clause) ?? /\bfor\s+(\S+)/i.exec(clause)?.[1];
      return pattern ? { kind: 'search', pattern } : undefined;
    }
  }
}

function pathIn(text: string): string | undefined {
  // What is quoted and has spaces is no path, though it may hold one.
  return PATH.exec(text.replace(new RegExp(QUOTED, 'g'), (found) => (/\s/.test(found) ? ' ' : found)))?.[1];
}

function folderIn(text: string): string | undefined {
  return /(?:^|[\s"'`])((?:~?\/|\.{0,2}\/)?(?:[\w.-]+\/)+[\w.-]*|\/)(?=$|[\s"'`,.?!])/.exec(text)?.[1];
}

function contentIn(clause: string, path: string | undefined): string {
  const fenced = FENCE.exec(clause)?.[1];
  if (fenced !== undefined) {
    return fenced;
  }
  const introduced = CONTENT.exec(clause);
  const after = introduced ? clause.slice(introduced.index + introduced[0].length) : '';
  const quoted = quotedIn(after) ?? quotedIn(path === undefined ? clause : clause.replace(path, ''));
  const phrase = phraseOf(after);
  return quoted ?? (phrase === '' || phrase.includes('\n') ? DEFAULT_CONTENT : phrase);
}

/** Without the sign and the words that lead on to what is asked for next. */
function phraseOf(text: string): string {
  let phrase = text.trimEnd();
  for (let word; (word = /\b(?:and|then)$/i.exec(phrase)?.[0]) !== undefined;) {
    phrase = phrase.slice(0, -word.length).trimEnd();
  }
  return /[.,;]$/.test(phrase) ? phrase.slice(0, -1).trimEnd() : phrase;
}

export function quotedIn(text: string): string | undefined {
  const match = QUOTED.exec(text);
  return match ? (match[1] ?? match[2] ?? match[3] ?? match[4]) : undefined;
}
