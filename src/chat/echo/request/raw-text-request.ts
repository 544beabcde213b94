import { type Clause, clausesOf } from './clauses.js';
import { isPrintCommand } from './commands.js';
import {
  EXACT_PHRASES,
  INSIDE_PHRASES,
  isIndefinite,
  isSuperlative,
  KNOWN_WORDS,
  LEAVE_PHRASES,
  PLACE_PHRASES,
  TEXT_NOUN,
  UNSPACED_NEGATION,
  UNSPACED_REQUESTS,
  WORDS,
} from './request-words.js';

/** Unknown words between a verb and its noun: "the build output", "the nginx access log". */
const MAX_MODIFIERS = 2;

const MAX_PATH_CHARS = 200;

/** Ends of beginnings that need a verb of holding behind them: "what does … contain". */
const OPEN = new Set(['does', 'did', 'what', 'was', 'sieht']);

/**
 * Whether a user asks for a text as it is, or for all of it in another form: then an answer that repeats it is right.
 * Asked in a clause of its own ("show me the file", "print package.json", "quote the second paragraph verbatim"), not
 * denied ("do not paste the output"), and not merely spoken of ("why does it print the file?").
 * @param names words by which he may name a result
 */
export function asksForRawText(message: string, names: ReadonlySet<string> = new Set()): boolean {
  const clauses = clausesOf(message).map((clause) => withNouns(clause, names));
  const [only, ...others] = clauses.filter(({ words }) => !words.every(isPolite));
  const isAlone = only !== undefined && others.length === 0;
  const isPlain =
    isAlone && [isReadAloud, isPrintCommand, isNamed, isContentsQuestion, isAll].some((is) => is(only));
  return clauses.some(isRawTextRequest) || isPlain;
}

/** A clause in which names of results are nouns for a text, up to what the text is to lack. */
function withNouns({ text, words: all }: Clause, names: ReadonlySet<string>): Clause {
  const end = all.findIndex((word) => WORDS.without.has(word));
  const words = end < 0 ? all : all.slice(0, end);
  const isName = (word: string): boolean => names.has(word) && !KNOWN_WORDS.has(word);
  // "A recipe" is a new one.
  const isNew = (at: number): boolean => isIndefinite(words[at - 1] ?? '');
  return { text, words: words.map((word, at) => (isName(word) && !isNew(at) ? TEXT_NOUN : word)) };
}

/** "Full log please", "the last 10 lines of the file", "pom.xml bitte anzeigen": a text is named, and nothing else. */
function isNamed({ words }: Clause): boolean {
  const known = [WORDS.leads, WORDS.fillers, WORDS.afterthoughts, WORDS.portions, WORDS.show, WORDS.stops];
  const isAsked = [WORDS.whole, WORDS.texts, WORDS.show].some((role) => words.some((word) => role.has(word)));
  const isName = (word: string): boolean => WORDS.texts.has(word) || isPath(word);
  return (
    (isAsked || words.every((word) => isPath(word) || isPolite(word))) &&
    words.some(isName) &&
    !words.some((word) => WORDS.questions.has(word)) &&
    words.every((word) => isName(word) || /^\d+$/.test(word) || known.some((role) => role.has(word)))
  );
}

/** "What's in notes.txt", "show me what the file contains", "what did the server answer". */
function isContentsQuestion({ words }: Clause): boolean {
  const said = words.filter((word) => !WORDS.leads.has(word));
  const start = INSIDE_PHRASES.find((phrase) => phrase.every((word, at) => said[at] === word));
  const rest = said.slice(start?.length);
  const holdsAt = rest.findIndex((word) => WORDS.contains.has(word));
  const isComplete = holdsAt >= 0 || !OPEN.has(start?.at(-1) ?? '');
  const named = rest.filter((word) => !WORDS.contains.has(word));
  // Whatever has printed something has printed a text.
  const isEnd = holdsAt > 0 && rest.slice(holdsAt + 1).every(isInIt) && holdsAt <= 1 + MAX_MODIFIERS;
  return start !== undefined && isComplete && (isEnd || isText(named)) && !isWork(words);
}

/** Words that may end a question for what something holds: "in it", "now". */
function isInIt(word: string): boolean {
  return word === 'in' || WORDS.pronouns.has(word) || WORDS.afterthoughts.has(word);
}

/** "All of it, please": nothing but words for the whole. */
function isAll({ words }: Clause): boolean {
  const roles = [WORDS.every, WORDS.whole, WORDS.pronouns, WORDS.fillers, WORDS.portions, WORDS.stops];
  const said = words.filter((word) => !isPolite(word));
  return (
    said.some((word) => WORDS.every.has(word) || WORDS.whole.has(word)) &&
    said.every((word) => roles.some((role) => role.has(word)))
  );
}

/** "Read README.md" or "view it", and nothing else that could be the task. */
function isReadAloud({ words }: Clause): boolean {
  const [verb = '', ...rest] = words.filter((word) => !WORDS.leads.has(word));
  return (verb === 'read' || verb === 'view') && isText(rest);
}

/** Words that are said with any request: "again, please". */
function isPolite(word: string): boolean {
  return WORDS.leads.has(word) || WORDS.afterthoughts.has(word);
}

function isRawTextRequest({ text, words }: Clause): boolean {
  if (UNSPACED_REQUESTS.some((pattern) => pattern.test(text)) && !UNSPACED_NEGATION.test(text)) {
    return true;
  }
  if (words.some((word) => WORDS.negations.has(word) || word.endsWith("n't"))) {
    return false;
  }
  return isExact(words) || isRequest(words) || isWholeText(words);
}

function isExact(words: readonly string[]): boolean {
  const isQuestion = WORDS.questions.has(words[0] ?? '');
  return (
    !isQuestion &&
    [words, words.filter((word) => !WORDS.leads.has(word))].some((said) =>
      EXACT_PHRASES.some((phrase) => includesPhrase(said, phrase)),
    )
  );
}

function includesPhrase(words: readonly string[], phrase: readonly string[]): boolean {
  const gapAt = phrase.indexOf('…');
  return gapAt < 0
    ? words.some((_, at) => phrase.every((word, offset) => words[at + offset] === word))
    : words[0] === phrase[0] && words.at(-1) === phrase.at(-1);
}

/** "Full text so that I can save it", "what was the exact output of it": a clause that begins with all of a text. */
function isWholeText(words: readonly string[]): boolean {
  const before = [WORDS.leads, WORDS.which, WORDS.be, WORDS.definite];
  const said = words.slice(words.findIndex((word) => !before.some((role) => role.has(word))));
  return WORDS.whole.has(said[0] ?? '') && isText(said.slice(0, 2 + MAX_MODIFIERS)) && !isWork(words);
}

function isWork(words: readonly string[]): boolean {
  return words.some((word) => WORDS.tasks.has(word));
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
  if (WORDS.showIt.has(verb)) {
    const mayFollow = [WORDS.afterthoughts, WORDS.whole, WORDS.leads];
    return rest.every((word) => mayFollow.some((role) => role.has(word)));
  }
  if (WORDS.quote.has(verb)) {
    // "Paste protection is missing" asks for nothing.
    return !rest.some((word) => WORDS.be.has(word));
  }
  if (WORDS.convert.has(verb)) {
    return rest.some((word) => WORDS.forms.has(word));
  }
  if (WORDS.write.has(verb)) {
    const isAll = rest[0] === 'out' || words.some((word) => WORDS.whole.has(word));
    return isAll && isText(rest) && !isIndefinite(rest[0] ?? '');
  }
  if (WORDS.extract.has(verb)) {
    return isText(rest) && !rest.includes('into');
  }
  if (WORDS.reply.has(verb)) {
    const withAt = rest.findIndex((word) => WORDS.stops.has(word));
    return withAt <= 1 && !WORDS.towards.has(rest[withAt] ?? '') && isText(rest.slice(withAt + 1));
  }
  const isWished =
    leads.some((word) => WORDS.wishes.has(word)) ||
    LEAVE_PHRASES.some((phrase) => includesPhrase(leads, phrase));
  if ((WORDS.show.has(verb) || WORDS.copy.has(verb)) && isText(withoutPlace(rest) ?? [])) {
    return true;
  }
  if (WORDS.show.has(verb) || (isWished && WORDS.see.has(verb))) {
    return isText(rest) || isWholeThing(rest) || isKnownThing(verb, rest, isWished);
  }
  // Verbs at the end: "kannst du mir die Datei zeigen".
  const last = words.at(-1) ?? '';
  const isVerbLast = (leads.length > 0 && WORDS.show.has(last)) || (isWished && WORDS.see.has(last));
  const said = words.slice(Math.max(0, verbAt));
  const isPlaced = withoutPlace(said) !== undefined && isText(withoutPlace(said) ?? []);
  return (isVerbLast && isText(said.slice(0, -1))) || (isWished && (isPlaced || isNothingButText(said)));
}

/** "The full text", behind "I need"; not "the text to be shorter", nor "fix the text". */
function isNothingButText(words: readonly string[]): boolean {
  const [first = ''] = words;
  const last = words.findLast((word) => !WORDS.afterthoughts.has(word) && !WORDS.whole.has(word)) ?? '';
  return WORDS.texts.has(last) && (WORDS.fillers.has(first) || WORDS.texts.has(first)) && isText(words);
}

/**
 * "Me the class", "me this recipe", whatever it is called, at the end of a request: only what is there can be shown to
 * somebody, and what is to be found out has a name of its own, such as "the reason".
 */
function isKnownThing(verb: string, words: readonly string[], isWished: boolean): boolean {
  const isSeen = isWished && WORDS.see.has(verb);
  const isToSomebody =
    isSeen || words.some((word) => WORDS.dative.has(word)) || /(?:[aeé]me|-moi|mi)$/.test(verb);
  const said = withoutAfterthoughts(words);
  const at = said.findIndex((word) => !WORDS.dative.has(word) && !WORDS.leads.has(word));
  const noun = said.slice(at + 1);
  const isOther =
    noun.slice(0, -1).some((word) => isSuperlative(word)) ||
    noun.some((word) => [WORDS.stops, WORDS.tasks, WORDS.otherHeads].some((role) => role.has(word)));
  const isKnown = WORDS.definite.has(said[at] ?? '');
  return isToSomebody && isKnown && noun.length > 0 && noun.length <= MAX_MODIFIERS && !isOther;
}

/** "The whole config", whatever it is called, at the end of a request; "a complete analysis" is something new. */
function isWholeThing(words: readonly string[]): boolean {
  const said = withoutAfterthoughts(words);
  const at = said.findIndex((word) => WORDS.whole.has(word));
  const last = said.at(-1) ?? '';
  const isNew = said.some((word) => isIndefinite(word)) || WORDS.tasks.has(last);
  return at >= 0 && said.length - at <= 1 + MAX_MODIFIERS && !isNew && !WORDS.otherHeads.has(last);
}

function withoutAfterthoughts(words: readonly string[]): readonly string[] {
  return words.slice(0, words.findLastIndex((word) => !WORDS.afterthoughts.has(word)) + 1);
}

/** What stands before "into the chat", if that is the end of it, or behind, if that is the beginning. */
function withoutPlace(words: readonly string[]): readonly string[] | undefined {
  const said = words.slice(0, words.findLastIndex((word) => !WORDS.leads.has(word)) + 1);
  const isAt = (part: readonly string[]) => (phrase: readonly string[]) => includesPhrase(part, phrase);
  const last = PLACE_PHRASES.find((phrase) => isAt(said.slice(-phrase.length))(phrase));
  const first = PLACE_PHRASES.find((phrase) => isAt(said.slice(0, phrase.length))(phrase));
  return last ? said.slice(0, -last.length) : first && said.slice(first.length);
}

/** Whether the words behind a verb name a text: "me the whole file", "package.json", "the first 20 lines of it". */
function isText(words: readonly string[]): boolean {
  const isWhole = words.some((word) => WORDS.whole.has(word));
  let modifiers = 0;
  for (const [at, word] of words.entries()) {
    const next = words[at + 1] ?? '';
    const isKnown = isWhole || WORDS.definite.has(words[at - 1] ?? '');
    if (WORDS.texts.has(word) || (isKnown && WORDS.wholes.has(word))) {
      return !WORDS.otherHeads.has(next) && !isSentAway(words.slice(at + 1));
    }
    if (WORDS.pronouns.has(word) && words.slice(at + 1).every((after) => WORDS.afterthoughts.has(after))) {
      return true;
    }
    if (isPath(word)) {
      return next === '' || [WORDS.stops, WORDS.leads, WORDS.afterthoughts].some((role) => role.has(next));
    }
    const before = words[at - 1] ?? '';
    if (WORDS.stops.has(word) && !WORDS.portions.has(before) && !WORDS.whole.has(before)) {
      return false;
    }
    if (!WORDS.fillers.has(word) && ++modifiers > MAX_MODIFIERS) {
      return false;
    }
  }
  return false;
}

/** "To the server", behind a text; not "to me". */
function isSentAway([preposition = '', to = '']: readonly string[]): boolean {
  return WORDS.towards.has(preposition) && !WORDS.dative.has(to) && to !== '';
}

/** `package.json`, `src/app.ts`, `/etc/hosts`; no number, and no end of a sentence. */
function isPath(word: string): boolean {
  return (
    word.length <= MAX_PATH_CHARS &&
    /^[\w./\\@~-]+$/u.test(word) &&
    (/\.[a-z][a-z0-9]{0,7}$/.test(word) || (word.includes('/') && /^[~.]{0,2}\//.test(word)))
  );
}
