import { type SpacedLanguage, type UnspacedLanguage } from './language-words.js';
import { SPACED_LANGUAGES } from './request-languages.js';
import { UNSPACED_LANGUAGES } from './unspaced-languages.js';

type Role = Exclude<
  keyof SpacedLanguage,
  'name' | 'asks' | 'asksNot' | 'exactly' | 'places' | 'leave' | 'inside'
>;

/** A name of a file. */
const FILE = String.raw`[\w-]{1,40}\.[a-z]{1,8}(?![\w.])`;

/** Characters between a verb and its noun in a language without blanks: "显示" … "内容". */
const MAX_BETWEEN = 12;

/**
 * Words by role, of all languages that put blanks between words together: their imperatives are built alike, few words
 * mean different things in two of them, and people mix them.
 */
export const WORDS = {
  leads: of('leads', 'wishes'),
  wishes: of('wishes'),
  show: of('show'),
  showIt: of('showIt'),
  contains: of('contains'),
  dative: of('dative'),
  definite: of('definite'),
  towards: of('towards'),
  quote: of('quote'),
  see: of('see'),
  convert: of('convert'),
  layout: of('layout'),
  remove: of('remove'),
  forms: of('forms'),
  fillers: of('fillers', 'whole'),
  whole: of('whole'),
  texts: of('texts'),
  wholes: of('forms', 'wholes'),
  portions: of('portions'),
  write: of('write'),
  reply: of('reply'),
  pronouns: of('pronouns'),
  afterthoughts: of('afterthoughts'),
  otherHeads: of('otherHeads'),
  questions: of('questions'),
  stops: of('stops', 'questions'),
  negations: of('negations'),
  without: of('without'),
  connectives: of('connectives'),
  list: of('list', 'where'),
  listed: of('listed'),
  where: of('where'),
  extract: of('extract'),
  copy: of('copy'),
  which: of('which'),
  enumerate: of('enumerate'),
  find: of('find'),
  only: of('only'),
  every: of('every'),
  be: of('be'),
  exist: of('exist'),
  records: of('records'),
  judging: of('judging'),
  tasks: of('tasks'),
  own: of('own'),
  purpose: of('purpose'),
  uses: of('uses'),
  makes: of('makes'),
  reach: of('reach'),
} as const;

/** Words that can be said of any text or list that is wanted, and none that ask for something about it. */
export const TEXT_WORDS: ReadonlySet<string> = new Set(
  [
    ...[WORDS.leads, WORDS.fillers, WORDS.definite, WORDS.dative, WORDS.pronouns, WORDS.afterthoughts],
    ...[WORDS.show, WORDS.showIt, WORDS.see, WORDS.quote, WORDS.contains, WORDS.texts, WORDS.wholes],
    ...[WORDS.portions, WORDS.forms, WORDS.list, WORDS.listed, WORDS.enumerate, WORDS.records, WORDS.only],
    ...[WORDS.own, WORDS.every, WORDS.which, WORDS.be, WORDS.exist, WORDS.towards, WORDS.stops, WORDS.reach],
  ].flatMap((words) => [...words].filter((word) => !WORDS.questions.has(word) || WORDS.be.has(word))),
);

/** All words that have a role. */
export const KNOWN_WORDS: ReadonlySet<string> = new Set(Object.values(WORDS).flatMap((words) => [...words]));

/** "The oldest ticket" is to be found out; "the latest" is there. */
const SUPERLATIVE = /(?<!^(?:lat|t|requ))(?:est|ste[nrs]?)$/;

/** Whether a word compares one thing with all others. */
export function isSuperlative(word: string): boolean {
  return SUPERLATIVE.test(word);
}

/** Articles behind which something new is meant: "a complete test file". */
const INDEFINITE = /^(?:an?|eine?n?|une?|una|uma)$/;

export function isIndefinite(word: string): boolean {
  return INDEFINITE.test(word);
}

/** A noun for a text, in the place of a name. */
export const TEXT_NOUN = 'file';

/** Phrases that make a request of any clause, word by word. */
export const EXACT_PHRASES = SPACED_LANGUAGES.flatMap(({ exactly }) => phrases(exactly));

/** Phrases for the place where an answer is read. */
export const PLACE_PHRASES = SPACED_LANGUAGES.flatMap(({ places }) => (places ? phrases(places) : []));

/** Beginnings of a question for what a text holds: "what is in". */
export const INSIDE_PHRASES = SPACED_LANGUAGES.flatMap(({ inside }) => phrases(inside));

/** Questions for leave: "can I". */
export const LEAVE_PHRASES = SPACED_LANGUAGES.flatMap(({ leave }) => (leave ? phrases(leave) : []));

/** Patterns of the languages without blanks, for one clause. */
export const UNSPACED_REQUESTS: readonly RegExp[] = UNSPACED_LANGUAGES.map(requestPattern);
export const UNSPACED_NEGATION = anyOf(UNSPACED_LANGUAGES.flatMap(({ negations }) => split(negations)));
export const UNSPACED_LIST = anyOf(UNSPACED_LANGUAGES.flatMap(({ list }) => split(list)));

function of(...roles: readonly Role[]): ReadonlySet<string> {
  return new Set(
    SPACED_LANGUAGES.flatMap((language) =>
      roles.flatMap((role) => split(language[role] ?? '').flatMap(spellings)),
    ),
  );
}

function phrases(list: string): readonly (readonly string[])[] {
  return list.split(', ').flatMap((phrase) => spellings(phrase).map((spelling) => spelling.split(' ')));
}

/** With the apostrophe of a contraction, and without, as people type. */
function spellings(text: string): string[] {
  return /'[st](?: |$)/.test(text) ? [text, text.replaceAll("'", '')] : [text];
}

function requestPattern({ exactly, show, texts, lead, particle }: UnspacedLanguage): RegExp {
  const verb = `(?:${split(show).join('|')})`;
  const noun = `(?:${split(texts).join('|')}|${FILE})`;
  const between = `.{0,${MAX_BETWEEN}}`;
  const request = particle === undefined ? verb + between + noun : noun + particle + between + verb;
  const led = lead === undefined ? [] : [lead + between + noun + between + verb];
  return new RegExp([...split(exactly), request, ...led].join('|'), 'u');
}

function anyOf(parts: readonly string[]): RegExp {
  return new RegExp(parts.join('|'), 'u');
}

function split(list: string): string[] {
  return list.split(' ').filter((word) => word !== '');
}
