import { WORDS } from './request-words.js';

/** Characters at the beginning and at the end of a message that are judged; what is long between them is material. */
const EDGE_CHARS = 4000;

/** Ends of sentences and their parts, as people write them; a dot within `package.json` is none. */
const CLAUSE_ENDS = /\n|[,;:.!?…](?=\s|$)|[。！？；，、]/u;

const EDGE_PUNCTUATION = new Set('"\'`“”„«»‘()[]<>*_¿¡.');

/** A part of a message that can be a request of its own. */
export interface Clause {
  /** The words, with single blanks between them. */
  readonly text: string;
  /** In small letters, without punctuation around them; never empty. */
  readonly words: readonly string[];
}

/** Splits a message at punctuation and at words such as "and"; of a long message only its beginning and its end. */
export function clausesOf(message: string): Clause[] {
  const text =
    message.length > 2 * EDGE_CHARS
      ? `${message.slice(0, EDGE_CHARS)}\n${message.slice(-EDGE_CHARS)}`
      : message;
  return text
    .toLowerCase()
    .replaceAll('’', "'")
    .split(CLAUSE_ENDS)
    .flatMap((part) => splitAtConnectives(part));
}

function splitAtConnectives(part: string): Clause[] {
  const clauses: string[][] = [[]];
  for (const token of part.split(/\s/)) {
    const word = bare(token);
    if (WORDS.connectives.has(word)) {
      clauses.push([]);
    } else if (word !== '') {
      clauses.at(-1)?.push(word);
    }
  }
  return clauses.filter((words) => words.length > 0).map((words) => ({ text: words.join(' '), words }));
}

/** A word without quotes, brackets and emphasis around it; code such as `print(x)` stays in one piece. */
function bare(token: string): string {
  let start = 0;
  let end = token.length;
  while (start < end && EDGE_PUNCTUATION.has(token.charAt(start))) {
    start++;
  }
  while (end > start && EDGE_PUNCTUATION.has(token.charAt(end - 1))) {
    end--;
  }
  return token.slice(start, end);
}
