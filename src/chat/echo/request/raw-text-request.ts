import {
  AFTERTHOUGHTS,
  CONNECTIVES,
  DETERMINERS,
  EXACTNESS,
  FORM_VERBS,
  FORMS,
  LEADS,
  LIST_WORDS,
  LISTED_NOUNS,
  NEGATIONS,
  OTHER_HEADS,
  PLACE_WORDS,
  PRONOUNS,
  QUESTIONS,
  QUOTE_VERBS,
  RECEIVERS,
  SEE_VERBS,
  SHOW_VERBS,
  STOPS,
  TEXT_NOUNS,
  UNSPACED_LISTS,
  UNSPACED_NEGATIONS,
  UNSPACED_REQUESTS,
  WHOLENESS,
  WISHES,
} from './request-words.js';

/** A request stands at the beginning or the end of a message; what is long between them is material. */
const EDGE_CHARS = 4000;
/** Words between a determiner and its noun: "the build output", "the nginx access log". */
const MAX_MODIFIERS = 2;
const MAX_PATH_CHARS = 200;

/**
 * Whether a user asks for a text as it is, or for all of it in another form: then an answer that repeats it is right.
 * Asked in a clause of its own ("show me the file", "print package.json", "quote the second paragraph verbatim"), not
 * denied ("do not paste the output"), and not merely spoken of ("why does it print the file?").
 */
export function asksForRawText(message: string): boolean {
  return clausesOf(message).some((clause) => isRawTextRequest(clause));
}

/** Whether a user asks for a list of files or places: then a list of found paths is the answer, not an echo. */
export function asksForList(message: string): boolean {
  return clausesOf(message).some(({ text, words }) => {
    const asks = words.some((word) => LIST_WORDS.has(word));
    return (
      UNSPACED_LISTS.test(text) ||
      words.some((word) => PLACE_WORDS.has(word)) ||
      (asks && words.some((word) => LISTED_NOUNS.has(word)))
    );
  });
}

interface Clause {
  readonly text: string;
  /** In lower case, without the punctuation around them. */
  readonly words: readonly string[];
}

function clausesOf(message: string): Clause[] {
  const text =
    message.length > 2 * EDGE_CHARS
      ? `${message.slice(0, EDGE_CHARS)}\n${message.slice(-EDGE_CHARS)}`
      : message;
  return text
    .toLowerCase()
    .replaceAll('’', "'")
    .split(/\n|[,;:.!?…](?=\s|$)|[。！？；，、]/u)
    .flatMap((part) => splitAtConnectives(part));
}

function splitAtConnectives(part: string): Clause[] {
  const clauses: string[][] = [[]];
  for (const token of part.split(/\s/)) {
    const word = bare(token);
    if (CONNECTIVES.has(word)) {
      clauses.push([]);
    } else if (word !== '') {
      clauses.at(-1)?.push(word);
    }
  }
  return clauses.filter((words) => words.length > 0).map((words) => ({ text: words.join(' '), words }));
}

const EDGE_PUNCTUATION = new Set('"\'`“”„«»‘()[]<>*_¿¡.');

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

function isRawTextRequest({ text, words }: Clause): boolean {
  if (UNSPACED_REQUESTS.some((pattern) => pattern.test(text)) && !UNSPACED_NEGATIONS.test(text)) {
    return true;
  }
  if (words.some((word) => NEGATIONS.has(word) || word.endsWith("n't"))) {
    return false;
  }
  return isExact(words) || isRequest(words);
}

function isExact(words: readonly string[]): boolean {
  return !QUESTIONS.has(words[0] ?? '') && EXACTNESS.some((phrase) => includesPhrase(words, phrase));
}

function includesPhrase(words: readonly string[], phrase: readonly string[]): boolean {
  return words.some((_, at) => phrase.every((word, offset) => words[at + offset] === word));
}

function isRequest(words: readonly string[]): boolean {
  const verbAt = words.findIndex((word) => !LEADS.has(word));
  const verb = words[verbAt] ?? '';
  const leads = words.slice(0, Math.max(0, verbAt));
  // "To print the file, run …" is about printing.
  if (leads[0] === 'to') {
    return false;
  }
  const rest = words.slice(verbAt + 1);
  if (QUOTE_VERBS.has(verb)) {
    return true;
  }
  if (FORM_VERBS.has(verb)) {
    return rest.some((word) => FORMS.has(word));
  }
  const isWished = leads.some((word) => WISHES.has(word));
  if (SHOW_VERBS.has(verb) || (isWished && SEE_VERBS.has(verb))) {
    return isText(rest);
  }
  // Verbs at the end: "kannst du mir die Datei zeigen".
  return leads.length > 0 && SHOW_VERBS.has(words.at(-1) ?? '') && isText(words.slice(verbAt, -1));
}

/** Whether what follows a verb is a text: "me the whole file", "package.json", "the first 20 lines of it". */
function isText(words: readonly string[]): boolean {
  let isWhole = false;
  let modifiers = 0;
  for (const [at, word] of words.entries()) {
    const next = words[at + 1] ?? '';
    isWhole ||= WHOLENESS.has(word);
    if (TEXT_NOUNS.has(word) || (isWhole && FORMS.has(word))) {
      return !OTHER_HEADS.has(next);
    }
    if (PRONOUNS.has(word) && isLast(words, at)) {
      return true;
    }
    if (isPath(word)) {
      return next === '' || STOPS.has(next) || LEADS.has(next);
    }
    if (STOPS.has(word) && words[at - 1] !== 'all') {
      return false;
    }
    if (!DETERMINERS.has(word) && !RECEIVERS.has(word) && ++modifiers > MAX_MODIFIERS) {
      return false;
    }
  }
  return false;
}

/** Whether nothing but "to me" or "again" follows. */
function isLast(words: readonly string[], at: number): boolean {
  const next = words[at + 1];
  return (
    next === undefined || AFTERTHOUGHTS.has(next) || (next === 'to' && RECEIVERS.has(words[at + 2] ?? ''))
  );
}

/** `package.json`, `src/app.ts`, `/etc/hosts`; no number, and no end of a sentence. */
function isPath(word: string): boolean {
  return (
    word.length <= MAX_PATH_CHARS &&
    /^[\w./\\@~-]+$/u.test(word) &&
    (/\.[a-z][a-z0-9]{0,7}$/.test(word) || (word.includes('/') && /^[~.]{0,2}\//.test(word)))
  );
}
