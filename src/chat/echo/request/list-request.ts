import { type Clause, clausesOf } from './clauses.js';
import { isListCommand } from './commands.js';
import { isSuperlative, UNSPACED_LIST, WORDS } from './request-words.js';

/** Unknown words between a verb and its noun: "the open issues". */
const MAX_MODIFIERS = 2;

/** Words of the longest question that is plain. */
const MAX_QUESTION_WORDS = 12;

/** Characters of the longest message that is plainly a request for a list. */
const MAX_PLAIN_CHARS = 1000;

/** Whether a message speaks of another task than giving something: to mend, to explain, to sum up. */
export function asksForWork(message: string): boolean {
  return clausesOf(message).some(({ words }) => words.some((word) => WORDS.tasks.has(word)));
}

/**
 * Whether a user asks for a list of files or places, or to search for something: then a list of found paths is the
 * answer, not an echo.
 */
export function asksForList(message: string): boolean {
  return clausesOf(message).some(({ text, words }) => {
    const has = (role: ReadonlySet<string>): boolean => words.some((word) => role.has(word));
    const isSearch = WORDS.find.has(words.find((word) => !WORDS.leads.has(word)) ?? '');
    return UNSPACED_LIST.test(text) || has(WORDS.where) || isSearch || (has(WORDS.list) && has(WORDS.listed));
  });
}

/**
 * Whether a user asks for a list of any things, such as commits or users, and plainly for nothing else: a clause begins
 * with the request, or the message is a command that prints a list, and no word speaks of another task.
 */
export function asksForRecords(message: string): boolean {
  if (message.length > MAX_PLAIN_CHARS || asksForWork(message)) {
    return false;
  }
  const clauses = clausesOf(message);
  return (
    clauses.some((clause) => isRecordsRequest(clause) && !isJudging(clause)) ||
    (clauses.length === 1 && isListCommand(clauses[0]!))
  );
}

/**
 * Whether a message is a short question that the entries of a list can answer: it asks what, who or which, and nothing
 * in it asks for reckoning, comparing or advice.
 */
export function asksPlainly(message: string): boolean {
  return isPlain(message, WORDS.which);
}

/** Whether a message is as short and plain, and asks to search for something. */
export function asksForSearch(message: string): boolean {
  return isPlain(message, WORDS.find);
}

function isPlain(message: string, beginnings: ReadonlySet<string>): boolean {
  const [only, ...others] = clausesOf(message);
  if (only === undefined || others.length > 0 || only.words.length > MAX_QUESTION_WORDS) {
    return false;
  }
  const { words } = only;
  const at = words.findIndex((word) => !WORDS.leads.has(word));
  const rest = words.slice(at + 1);
  return (
    beginnings.has(words[at] ?? '') &&
    !words.some((word) => WORDS.negations.has(word)) &&
    !isJudging(only) &&
    !isForOne(words[at], rest) &&
    !asksForWork(message)
  );
}

/** Whether a request needs reckoning, comparing or advice. */
function isJudging({ words }: Clause): boolean {
  const at = words.findIndex((word) => !WORDS.leads.has(word));
  return words.slice(at).some((word) => WORDS.judging.has(word) || isSuperlative(word));
}

/** "Which user has it", "what is the port": one thing is to be found out. */
function isForOne(question: string | undefined, [first = '', second = '']: readonly string[]): boolean {
  const isSingular = question === 'which' && !first.endsWith('s') && !WORDS.be.has(first);
  return isSingular || (WORDS.be.has(first) && WORDS.definite.has(second));
}

/** Whether it is only some of the things that a request for records asks for: "show only the errors". */
export function asksForSelection(message: string): boolean {
  return clausesOf(message).some(
    (clause) => clause.words.some((word) => WORDS.only.has(word)) && isRecordsRequest(clause),
  );
}

/** "List the last 20 commits", "which pods are running", "tell me what the open issues are". */
function isRecordsRequest({ words }: Clause): boolean {
  const openers = new Set<ReadonlySet<string>>();
  for (const [at, word] of words.entries()) {
    const opener = [WORDS.which, WORDS.enumerate, WORDS.find, WORDS.only].find((role) => role.has(word));
    if (opener !== undefined) {
      openers.add(opener);
    } else if (!WORDS.leads.has(word) || (at === 0 && word === 'to')) {
      const isAll = !openers.has(WORDS.find) || WORDS.every.has(word);
      return openers.size > 0 && isAll && isRecords(words.slice(at), openers.has(WORDS.which));
    }
  }
  return false;
}

/**
 * Whether the words behind a request name things to list: "the last 20 commits", or things of any kind if it is "all
 * zones"; a verb may follow a question only.
 */
function isRecords(words: readonly string[], isQuestion: boolean): boolean {
  let modifiers = 0;
  let isEvery = false;
  for (const [at, word] of words.entries()) {
    if (WORDS.records.has(word)) {
      return isQuestion || !WORDS.questions.has(words[at + 1] ?? '');
    }
    if (isQuestion && WORDS.exist.has(word)) {
      return modifiers > 0;
    }
    isEvery ||= WORDS.every.has(word);
    if (WORDS.fillers.has(word) || WORDS.every.has(word) || (isQuestion && WORDS.be.has(word))) {
      continue;
    }
    if (WORDS.stops.has(word)) {
      return isEvery && modifiers > 0 && !WORDS.questions.has(word);
    }
    if (WORDS.pronouns.has(word) || ++modifiers > MAX_MODIFIERS) {
      return false;
    }
  }
  return isEvery && modifiers > 0;
}
