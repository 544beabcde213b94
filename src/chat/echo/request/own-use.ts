import { type Clause, clausesOf } from './clauses.js';
import { PLACE_PHRASES, WORDS } from './request-words.js';
import { hasForm } from './word-forms.js';

/** Words of the longest message that only says what a text is for. */
const MAX_WORDS = 60;

/**
 * Whether a user says what he will do with a text himself ("I'll print it", "zum Kopieren"), or that he wants it where
 * the answer is read ("I need the log in this window"), and gives the model nothing else to do.
 * @param named words of titles and calls
 */
export function saysOwnUse(message: string, named: ReadonlySet<string>): boolean {
  const clauses = clausesOf(message);
  if (clauses.flatMap(({ words }) => words).length > MAX_WORDS) {
    return false;
  }
  const isText = (word: string): boolean =>
    WORDS.texts.has(word) || WORDS.pronouns.has(word) || hasForm(named, word);
  const isPlaced = (clause: Clause): boolean => isForPlace(clause) && clause.words.some(isText);
  const uses = clauses.filter((clause) => isOwnUse(clause) && !isQuestion(clause));
  return (
    (uses.length > 0 || clauses.some(isPlaced)) &&
    clauses.some(({ words }) => words.some(isText)) &&
    !clauses.some((clause) => isMaking(clause) || (!uses.includes(clause) && isTask(clause)))
  );
}

/** A clause in which somebody reads, prints or copies himself what was named before, or of which that is the purpose. */
function isOwnUse({ words }: Clause): boolean {
  const at = words.findIndex((word) => hasForm(WORDS.uses, withoutObject(word)));
  const [use = '', next = '', afterNext = ''] = at < 0 ? [] : words.slice(at);
  const before = words.slice(0, Math.max(0, at));
  const last = before.at(-1) ?? '';
  // "La" may be an article.
  const isPronoun = WORDS.pronouns.has(next) && (!WORDS.definite.has(next) || afterNext === '');
  const isObject = use !== withoutObject(use) || next === '' || isPronoun || WORDS.pronouns.has(last);
  return at >= 0 && isObject && (before.some((word) => WORDS.own.has(word)) || WORDS.purpose.has(last));
}

/** "L'imprimer", "leerlo": the object is part of the verb. */
function withoutObject(word: string): string {
  return word.replace(/^l'|(?<=r)(?:-?l[oa]s?)$/, '');
}

/** A clause that ends with a place in the conversation, in which somebody wants something for himself. */
function isForPlace({ words }: Clause): boolean {
  const said = words.slice(0, words.findLastIndex((word) => !WORDS.leads.has(word)) + 1);
  return (
    [WORDS.own, WORDS.dative].some((role) => words.some((word) => role.has(word))) &&
    PLACE_PHRASES.some((phrase) => phrase.every((word, at) => said.at(at - phrase.length) === word))
  );
}

function isQuestion({ words }: Clause): boolean {
  return words.some((word) => WORDS.questions.has(word) || WORDS.which.has(word));
}

function isTask(clause: Clause): boolean {
  const said = clause.words.filter((word) => !WORDS.leads.has(word));
  const isWork = said.some((word) => WORDS.tasks.has(word) || WORDS.judging.has(word));
  return isWork || isQuestion(clause);
}

function isMaking({ words }: Clause): boolean {
  return words.some((word) => WORDS.makes.has(word));
}
