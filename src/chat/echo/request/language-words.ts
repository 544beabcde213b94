/** Words of a language that puts blanks between words. Lists of small letters, parted by blanks. */
export interface SpacedLanguage {
  readonly name: string;
  /** A message that asks for a text as it is. */
  readonly asks: string;
  /** A message with some of the same words that does not. */
  readonly asksNot: string;
  /** Words that may stand before the verb of a request. */
  readonly leads: string;
  /** Leads by which somebody wants something himself; behind them verbs of seeing ask, too. */
  readonly wishes: string;
  /** Leads, parted by commas, by which somebody asks for leave, which is a wish as well. */
  readonly leave?: string;
  /** Verbs of showing and repeating; a request if a text follows. */
  readonly show: string;
  /** Verbs of showing with the pronoun in the same word; a request with nothing else behind. */
  readonly showIt?: string;
  /** Verbs of holding a text: `what the file contains`. */
  readonly contains: string;
  /** Beginnings of a question for what a text holds, parted by commas. */
  readonly inside: string;
  /** Pronouns for those to whom something is shown, and articles for what is known. */
  readonly dative: string;
  readonly definite: string;
  /** Prepositions behind which stands where something goes: `the file to the server`. */
  readonly towards: string;
  /** Verbs of quoting; a request whatever follows. */
  readonly quote: string;
  /** Verbs of seeing and getting; a request only behind a wish. */
  readonly see: string;
  /** Verbs of converting; a request if a form follows. */
  readonly convert: string;
  /** Words for layout and its parts, and for changing it. */
  readonly layout?: string;
  /** Verbs of taking a part out of a text. */
  readonly remove?: string;
  /** Forms in which a text can be given. */
  readonly forms: string;
  /** Words between verb and noun that say nothing else: articles, pronouns, states of a text. */
  readonly fillers: string;
  /** Fillers by which nothing but the text itself, all of it, is meant. */
  readonly whole: string;
  /** Nouns for a text. */
  readonly texts: string;
  /** Nouns for a text only where all of it is meant: `the whole thing`. */
  readonly wholes?: string;
  /** Nouns for a state or a part of the text that `of` names: `the new version of the file`. */
  readonly portions?: string;
  /** Verbs of writing; a request if all of a text follows: `write the whole file`. */
  readonly write?: string;
  /** Verbs of answering; a request if a text follows the word behind it: `reply with the file`. */
  readonly reply?: string;
  /** Pronouns that can stand for a text, with nothing but afterthoughts behind them. */
  readonly pronouns: string;
  readonly afterthoughts?: string;
  /** Nouns that make of the noun in front of them something else than a text: `file name`. */
  readonly otherHeads?: string;
  /** Words that ask why, how or whether; no request is behind them. */
  readonly questions: string;
  /** Prepositions and other words behind which a noun is not the object of the verb any more. */
  readonly stops: string;
  readonly negations: string;
  /** Words behind which stands what a text is to lack: `the file without comments`. */
  readonly without: string;
  /** Words at which one request ends and the next begins. */
  readonly connectives: string;
  /** Phrases that make a request of any clause, parted by commas; `…` between its first and its last word. */
  readonly exactly: string;
  /** Verbs of taking out of something else; a request if a text, and no new place for it, follows. */
  readonly extract?: string;
  /** Verbs of copying; a request if a text and one of `places`, parted by commas, follow. */
  readonly copy?: string;
  readonly places?: string;
  /** Words that ask for a list of files, and nouns of which. */
  readonly list: string;
  readonly listed: string;
  /** Words that ask for places whatever follows. */
  readonly where: string;
  /** Words with which a request for a list of any things begins: questions, verbs, and verbs that need `every`. */
  readonly which?: string;
  readonly enumerate?: string;
  readonly find?: string;
  readonly only?: string;
  readonly every?: string;
  /** Verbs between a question and its noun: "what are the errors". */
  readonly be?: string;
  /** What makes a question for all there is of it: "which zones are there". */
  readonly exist?: string;
  /** Nouns for things that people list, in the plural. */
  readonly records?: string;
  /** Words of questions that need reckoning, comparing or advice. */
  readonly judging?: string;
  /** Words of a task other than listing: to mend, to explain, to sum up. */
  readonly tasks: string;
  /** Words for the user himself, and prepositions of purpose in front of a verb. */
  readonly own?: string;
  readonly purpose?: string;
  /** Verbs for what people do with a text themselves: to read, print or copy it. */
  readonly uses?: string;
  /** Verbs of making something new out of a text: to draft, to answer. */
  readonly makes?: string;
  /** Verbs of getting at a text, such as running its command. */
  readonly reach?: string;
}

/** Parts of words of a language that puts no blanks between words, or puts particles at their ends. */
export interface UnspacedLanguage {
  readonly name: string;
  readonly asks: string;
  readonly asksNot: string;
  /** Phrases that are a request by themselves. */
  readonly exactly: string;
  /** Verbs of showing and nouns for a text, a few characters apart. */
  readonly show: string;
  readonly texts: string;
  /** Particle before a noun whose verb follows, beside the other order. */
  readonly lead?: string;
  /** Particle between a noun and the verb behind it, as a pattern; undefined where the verb stands first. */
  readonly particle: string | undefined;
  readonly negations: string;
  /** Phrases that ask for a list of files or for places. */
  readonly list: string;
}
