import { type Clause, clausesOf } from './clauses.js';
import {
  EXACT_PHRASES,
  UNSPACED_LIST,
  UNSPACED_NEGATION,
  UNSPACED_REQUESTS,
  WORDS,
} from './request-words.js';

/** Unknown words between a verb and its noun: "the build output", "the nginx access log". */
const MAX_MODIFIERS = 2;

const MAX_PATH_CHARS = 200;

/** Programs whose output people ask for by writing the command; they print lists, or what is guarded all the same. */
const COMMANDS = new Set(
  'git gh kubectl docker podman helm terraform ls ps env printenv grep rg npm npx yarn pnpm cargo pip tsc systemctl'.split(
    ' ',
  ),
);
const RUN = new Set(['run', 'execute', 'exec']);

/**
 * Whether a user asks for a text as it is, or for all of it in another form: then an answer that repeats it is right.
 * Asked in a clause of its own ("show me the file", "print package.json", "quote the second paragraph verbatim"), not
 * denied ("do not paste the output"), and not merely spoken of ("why does it print the file?").
 */
export function asksForRawText(message: string): boolean {
  const clauses = clausesOf(message);
  return clauses.some(isRawTextRequest) || (clauses.length === 1 && isReadAloud(clauses[0]!));
}

/** Whether a user asks for a list, or names a command that prints one: then a list is the answer, not an echo. */
export function asksForList(message: string): boolean {
  return clausesOf(message).some(({ text, words }) => {
    const has = (role: ReadonlySet<string>): boolean => words.some((word) => role.has(word));
    return (
      namesCommand(words) ||
      UNSPACED_LIST.test(text) ||
      has(WORDS.where) ||
      (has(WORDS.list) && has(WORDS.listed))
    );
  });
}

/** `git log please`, `run kubectl get pods`. */
function namesCommand(words: readonly string[]): boolean {
  const [first = '', ...others] = words.filter((word) => !WORDS.leads.has(word));
  return COMMANDS.has(RUN.has(first) ? (others[0] ?? '') : first);
}

/** "Read README.md", and nothing else that could be the task. */
function isReadAloud({ words }: Clause): boolean {
  const [verb = '', ...rest] = words.filter((word) => !WORDS.leads.has(word));
  return verb === 'read' && isText(rest);
}

function isRawTextRequest({ text, words }: Clause): boolean {
  if (UNSPACED_REQUESTS.some((pattern) => pattern.test(text)) && !UNSPACED_NEGATION.test(text)) {
    return true;
  }
  if (words.some((word) => WORDS.negations.has(word) || word.endsWith("n't"))) {
    return false;
  }
  return isExact(words) || isRequest(words);
}

function isExact(words: readonly string[]): boolean {
  const isQuestion = WORDS.questions.has(words[0] ?? '');
  return !isQuestion && EXACT_PHRASES.some((phrase) => includesPhrase(words, phrase));
}

function includesPhrase(words: readonly string[], phrase: readonly string[]): boolean {
  return words.some((_, at) => phrase.every((word, offset) => words[at + offset] === word));
}

function isRequest(words: readonly string[]): boolean {
  const verbAt = words.findIndex((word) => !WORDS.leads.has(word));
  const verb = words[verbAt] ?? '';
  const leads = words.slice(0, Math.max(0, verbAt));
  // "To print the file, run …" is about printing.
  if (leads[0] === 'to') {
    return false;
  }
  const rest = words.slice(verbAt + 1);
  if (WORDS.quote.has(verb)) {
    return true;
  }
  if (WORDS.convert.has(verb)) {
    return rest.some((word) => WORDS.forms.has(word));
  }
  const isWished = leads.some((word) => WORDS.wishes.has(word));
  if (WORDS.show.has(verb) || (isWished && WORDS.see.has(verb))) {
    return isText(rest);
  }
  // Verbs at the end: "kannst du mir die Datei zeigen".
  return leads.length > 0 && WORDS.show.has(words.at(-1) ?? '') && isText(words.slice(verbAt, -1));
}

/** Whether the words behind a verb name a text: "me the whole file", "package.json", "the first 20 lines of it". */
function isText(words: readonly string[]): boolean {
  let isWhole = false;
  let modifiers = 0;
  for (const [at, word] of words.entries()) {
    const next = words[at + 1] ?? '';
    isWhole ||= WORDS.whole.has(word);
    if (WORDS.texts.has(word) || (isWhole && WORDS.forms.has(word))) {
      return !WORDS.otherHeads.has(next);
    }
    if (WORDS.pronouns.has(word) && words.slice(at + 1).every((after) => WORDS.afterthoughts.has(after))) {
      return true;
    }
    if (isPath(word)) {
      return next === '' || WORDS.stops.has(next) || WORDS.leads.has(next);
    }
    if (WORDS.stops.has(word) && words[at - 1] !== 'all') {
      return false;
    }
    if (!WORDS.fillers.has(word) && ++modifiers > MAX_MODIFIERS) {
      return false;
    }
  }
  return false;
}

/** `package.json`, `src/app.ts`, `/etc/hosts`; no number, and no end of a sentence. */
function isPath(word: string): boolean {
  return (
    word.length <= MAX_PATH_CHARS &&
    /^[\w./\\@~-]+$/u.test(word) &&
    (/\.[a-z][a-z0-9]{0,7}$/.test(word) || (word.includes('/') && /^[~.]{0,2}\//.test(word)))
  );
}
