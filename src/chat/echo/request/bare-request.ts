import { clausesOf } from './clauses.js';
import { asksForWork, asksPlainly } from './list-request.js';
import { isIndefinite, TEXT_WORDS, WORDS } from './request-words.js';
import { hasForm } from './word-forms.js';

/** Words of the longest message that may say nothing else. */
const MAX_WORDS = 24;

/**
 * Whether a message says nothing that goes beyond a result: which one it is, in words of its title or of its call, and
 * that it is wanted. Then the result is the whole answer: "terraform plan, output only", "which lint errors are there".
 * A plain question, or what is to be shown to somebody, may hold one word more: "what's our policy on refunds".
 * @param named words of titles and calls
 */
export function asksBarely(message: string, named: ReadonlySet<string>): boolean {
  const words = clausesOf(message).flatMap((clause) => clause.words);
  const said = words.slice(words.findIndex((word) => !WORDS.leads.has(word) || WORDS.wishes.has(word)));
  const isQuestion = WORDS.which.has(said[0] ?? '');
  const isOther = [WORDS.judging, WORDS.negations].some((role) => said.some((word) => role.has(word)));
  if (
    words.length > MAX_WORDS ||
    isOther ||
    asksForWork(message) ||
    isVerb(said) ||
    isSentAway(said) ||
    (isQuestion && !asksPlainly(message))
  ) {
    return false;
  }
  const isNamed = (word: string): boolean => partsOf(word).every((part) => hasForm(named, part));
  const others = words.filter((word) => !isSaidOfAny(word) && !isNamed(word));
  return words.some(isNamed) && others.length <= (isQuestion || isShownToSomebody(said) ? 1 : 0);
}

/** "Is it …", "log every …", "test the …": a question for yes or no, or a noun that is used as a verb. */
function isVerb([first = '', second = '']: readonly string[]): boolean {
  const isNoun = [WORDS.texts, WORDS.listed, WORDS.records].some((role) => hasForm(role, first));
  const isObject = [WORDS.definite, WORDS.every].some((role) => role.has(second)) || isIndefinite(second);
  return (isNoun && isObject) || (WORDS.questions.has(first) && !WORDS.exist.has(second));
}

/** "To the customer": something is to be done with the result; not "to me". */
function isSentAway(words: readonly string[]): boolean {
  return words.some((word, at) => {
    const next = words[at + 1] ?? '';
    return at > 0 && WORDS.towards.has(word) && next !== '' && !WORDS.dative.has(next);
  });
}

/** "Show me the …"; "give me a …" is for something new. */
function isShownToSomebody(words: readonly string[]): boolean {
  return (
    WORDS.show.has(words[0] ?? '') &&
    words.some((word) => WORDS.dative.has(word)) &&
    !words.some(isIndefinite)
  );
}

/** Whether a word can be said of any text: a word of showing, a noun for a text, an article. */
function isSaidOfAny(word: string): boolean {
  return [[word], partsOf(word)].some((parts) =>
    parts.every((part) => /^\d+$/.test(part) || hasForm(TEXT_WORDS, part)),
  );
}

/** `src/app.ts` consists of three words. */
function partsOf(word: string): readonly string[] {
  return word.match(/[\p{L}\p{N}]+/gu) ?? [word];
}
