/** Characters in front of the cursor that are looked at, white space included: a power of two, cheap to divide by. */
const MAX_SENTENCE = 256;

/** A quotation mark with nothing or a blank in front of it, or the beginning of a comment or of code in HTML. */
const OPENING_QUOTE = /(?:^|[\s(])["'“„«]$|<!--\s?$|<(?:code|pre)(?:\s[^<>]*)?>\s?$/iu;

/** The end of a sentence that presents what follows it, emphasis included. */
const PRESENTING_END = /[:：][\s*_]*$/u;

/** The end of a sentence that is complete without what follows it. */
const COMPLETE_END = /[.!?。！？]\P{L}*$/u;

/**
 * A line that is the heading of what follows it, an item of a list with a label, or only the signs of a list, a quotation
 * or a change so far.
 */
const HEADING = /^\s*(?:#{1,6}\s.*|(?:\*\*|__)[^*_]+(?:\*\*|__):?|(?:[-*+]|\d+[.)])\s.*[:：]|[-+*>|]+)\s*$/u;

/** One word and a colon may stand in front of anything: `Action:`. */
const TWO_WORDS = /\p{L}\P{L}+\p{L}|[\u2e80-\uffff]{3}/u;

/** Words of a sentence that can mention a call within it; of fewer, a call may be the rest. */
const MENTIONING = /^(?:\P{L}*\p{L}+){4}/u;

/** The end of a sentence that compares something with what follows. */
const COMPARING_END = /(?<!\p{L})(?:like|such as)\s*$/iu;

/** The closing signs of those that may stand around a call. */
const CLOSING_SIGNS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '"': '"', "'": "'", '`': '`' };

/** Characters within which such a mark stands, attributes included: `<code class="language-xml">`. */
const QUOTE_LENGTH = 64;

const SENTENCE_END = /(?<!\b(?:e\.g|i\.e|z\. ?B|p\. ?ej|etc|par ex))[.!?。！？]\s+|\n/u;

const WRITERS = 'models?|assistants?|agents?|clients?|callers?|users?|llms?|gateways?|servers?';
const WRITING =
  'writes?|calls?|emits?|sends?|outputs?|returns?|produces?|responds?|answers?|uses?|invokes?|generates?|makes?';
const WROTE =
  'wrote|called|emitted|sent|output|returned|produced|responded|answered|used|invoked|generated|made|logged';
const MAY = 'can|could|may|might|must|shall|should|will|would';

/** Words by which a sentence announces an example instead of making a call. */
const EXAMPLE_WORDS: readonly string[] = [
  String.raw`for example|for instance|e\.g\.|^\W*(?:examples?|format|syntax|usage)\b|hypothetical(?:ly)?`,
  '(?:an|another|one|as|following|complete|full|short|simple|minimal|typical) example',
  'examples? (?:of|call|request|response|output|usage|tool|json)',
  '(?:following|this|same|json) (?:format|syntax|notation|structure|form)|(?:format|syntax|notation) (?:is|looks|for|of)',
  `(?:would|could|might|should) (?:normally |usually |otherwise |then )?(?:look|be (?:written|called|sent|represented)|${WRITING})`,
  String.raw`^\W*(?:instead of|rather than)|(?:never|do not|don['’]t|must not) (?:write|emit|send|output|answer with|return)\W*$`,
  'raw (?:answer|output|response|reply|completion)',
  '(?:looks?|look) like|(?:is|are) (?:written|encoded|represented|expressed|documented)',
  `(?:the|an?) (?:${WRITERS}) (?:then |also |simply )?(?:${MAY}) (?:be |also )?(?:${WRITING})`,
  `(?:the|an?) (?:models?|assistants?|llms?) (?:then |also |simply )?(?:${WRITING})`,
  `(?:you|one|they) (?:can|could|would|should|may|might|must) (?:also |then |simply )?(?:${WRITING})`,
  String.raw`zum beispiel|z\. ?B\.|^\W*beispiel|ein beispiel|sieht so aus|wird so|wird wie folgt|das modell`,
  "par exemple|un exemple|le modèle|ressemble à|s'écrit|por ejemplo|un ejemplo|el modelo|se escribe|se ve así",
  'per esempio|por exemplo|o modelo|se escreve|bijvoorbeeld|na przykład|например|выглядит так',
];

/** Words by which a sentence tells of calls that others make, or that were made before, unless it has ended. */
const TELLING_WORDS: readonly string[] = [
  `(?:${WRITERS}|it|they|he|she) (?:then |also |simply |usually |always |often |now )?(?:${WRITING})`,
  `(?:${WRITERS}|it|they|he|she|i|we|you) (?:then |also |had |has |have |just )?(?:${WROTE})`,
  `(?:${WRITERS})['’]s? (?:output|answer|reply|response|message|call|request|text)`,
  `(?:logs?|history|transcripts?|traces?|reports?|records?|docs|documentation|spec|readme|templates?|tests?) (?:also )?(?:contains?|shows?|holds?|lists?|includes?|expects?)`,
  String.raw`(?:was|were|reads?|holds?|contains?|becomes?|lautet|enthält|était|contient|contiene)[\s*_]*$`,
  'samples? (?:of|call|tool|request|response|output)|fixtures? (?:for|of)|pseudo-?code|wire format',
  String.raw`^\W*(?:before|after|wrong|right|(?:in)?correct|(?:in)?valid|bad|good|old|new|expected|actual)(?: \(\w+\))?\W*:\W*$`,
];

/** Words by which the model says that it acts now; then what others do is only its subject. */
const INTENDING_WORDS: readonly string[] = [
  "let me|let's|let us|(?:i|we)(?:'|’)ll|(?:i|we) (?:will|shall|need|want|should|must|can)|(?:i|we)(?:'|’| a)?(?:m|re) going to",
  "(?:i|we)(?:'|’)d like|(?:i|we) would like",
  'i (?:now |first |then )?(?:look|check|run|read|call|use|try|test|open|list|search|fetch|get|ask)',
  'ich (?:werde|sehe|schaue|prüfe|lese|rufe)|je vais|voy a|vou|vado a|我来|我要|让我',
];

/** Words that present as an example, or as the form of calls, what stands right behind them. */
const INTRODUCING_WORDS: readonly string[] = [
  String.raw`for example|for instance|e\.g\.|^\W*(?:an |the )?(?:examples?|format|syntax|usage)`,
  // From the beginning of the sentence: "Checking what the format is:" presents nothing.
  String.raw`^\W*the (?:[\w-]+ ){0,3}(?:format|syntax|notation)(?: of [^:]{1,40})? (?:is|looks like)(?: this| so| as follows)?`,
  String.raw`^\W*(?:(?:an?|the|such|each|tool|valid) ){1,3}(?:calls?|requests?) (?:looks?|(?:would|could|might) look) like(?: this| so)?`,
  String.raw`^\W*(?:(?:then|so|first|next),? )?(?:the|an?) (?:models?|llms?) (?:then |also |simply )?(?:${WRITING}|${WROTE})`,
  String.raw`zum beispiel|z\. ?B\.|^\W*(?:ein )?beispiel|par exemple|por ejemplo|per esempio|por exemplo`,
  'bijvoorbeeld|na przykład|например|例如|比如|たとえば',
];

const wordsOf = (words: readonly string[], others = ''): RegExp =>
  new RegExp(`(?<!\\p{L})(?:${words.join('|')})(?!\\p{L})${others}`, 'iu');

const ANNOUNCES = wordsOf(
  EXAMPLE_WORDS,
  '|例如|例え|示例|比如|格式|会返回|会输出|たとえば|次のような|例:|例：|예를 들어|예시',
);
const TELLS = wordsOf(TELLING_WORDS);
const INTENDS = wordsOf(INTENDING_WORDS);
/** A sentence of what the model would do, but not now. */
const DEPENDS = /^\W*(?:if|once|unless|should|when|after) (?:you|this|that|it|they|the)(?!\p{L})/iu;
/** The beginning of a sentence that tells what the model does: "Now reading the files, for example:". */
const ACTS = /^\W*(?:(?:now|next|first|then|so|ok|okay)\W+)*\p{L}+ing\b/iu;
const INTRODUCES = new RegExp(`(?<!\\p{L})(?:${INTRODUCING_WORDS.join('|')})[,:：]?[\\s*_]*$`, 'iu');

/** What behind calls in markup shows that they are no more than an example. */
export interface ExampleEnd {
  readonly byAnyText: boolean;
  /** Whether the rest of the sentence that stands before them does, on the same line. */
  readonly byRestOfSentence: boolean;
  /** The sign that does right behind them; empty if there is none. */
  readonly bySign: string;
}

/** The text right before the cursor: whether it says that an example follows. */
export class LeadIn {
  /** The latest pieces in a ring: as many as the sentence can have. */
  private readonly latest: string[] = [];
  private count = 0;
  private isExplaining = false;
  private hasExample = false;

  /** Takes the text that passes. Joining the pieces here would cost a tenth of the time of all reading. */
  advance(text: string): void {
    this.latest[this.count++ % MAX_SENTENCE] = text;
  }

  /**
   * Whether the latest sentence speaks about calls instead of making one: `A model writes, for example:`. From then on
   * always: an explanation goes on over several examples, of which only the first is announced.
   */
  explains(): boolean {
    this.isExplaining ||= speaksOfCalls(this.sentence);
    return this.isExplaining;
  }

  /**
   * What behind calls in markup at the cursor shows that they are an example. Any text does if the latest sentence speaks
   * about calls or presents what follows, or an example was found before, and nobody says that he acts; the rest of
   * a sentence does if that sentence may only mention them, and the second of two signs if the first stands before them.
   * @param isCalling whether the answer has called a tool already, so that what it presents may be calls, too
   */
  exampleEnd(isCalling: boolean): ExampleEnd {
    const { sentence } = this;
    const presents =
      !isCalling && (this.isHeading || (PRESENTING_END.test(sentence) && TWO_WORDS.test(sentence)));
    const isAbout = this.hasExample || presents || speaksOfCalls(sentence);
    const mayMention = COMPARING_END.test(sentence) || (this.mayGoOn && MENTIONING.test(sentence));
    return {
      byAnyText: isAbout && !saysThatHeActs(sentence),
      byRestOfSentence: mayMention && !this.endsInLineBreak,
      bySign: CLOSING_SIGNS[this.before(1).slice(-1)] ?? '',
    };
  }

  /** Whether the latest sentence has not ended and says of nobody that he acts, so that it may go on in what follows. */
  get mayGoOn(): boolean {
    const { sentence } = this;
    return sentence !== '' && !COMPLETE_END.test(sentence) && !saysThatHeActs(sentence);
  }

  /** Whether the latest sentence ends in a colon and says of nobody that he acts, so that it may present an example. */
  get mayBePresenting(): boolean {
    const { sentence } = this;
    return PRESENTING_END.test(sentence) && !INTENDS.test(sentence);
  }

  /** Whether the words right before the cursor present what follows, whatever it is, as an example. Has no memory. */
  get introducesExample(): boolean {
    const { sentence } = this;
    return INTRODUCES.test(sentence) && !saysThatHeActs(sentence);
  }

  /** To be called when an example was found that nothing had announced. */
  beginExplaining(): void {
    this.isExplaining = true;
    this.hasExample = true;
  }

  private get isHeading(): boolean {
    return HEADING.test(this.before(MAX_SENTENCE).slice(-MAX_SENTENCE).trimEnd().split('\n').at(-1) ?? '');
  }

  get endsInLineBreak(): boolean {
    return this.count > 0 && (this.latest[(this.count - 1) % MAX_SENTENCE] ?? '').endsWith('\n');
  }

  private get sentence(): string {
    const text = this.before(MAX_SENTENCE);
    return text.slice(-MAX_SENTENCE).trimEnd().split(SENTENCE_END).at(-1) ?? '';
  }

  /** Whether an opening quotation mark stands right before the cursor, so that what follows is quoted. */
  get isQuoting(): boolean {
    return OPENING_QUOTE.test(this.before(QUOTE_LENGTH).slice(-QUOTE_LENGTH));
  }

  /** At least the last characters before the cursor, as far as there are any. */
  private before(count: number): string {
    let text = '';
    for (let back = 1; text.length < count && back <= Math.min(this.count, MAX_SENTENCE); back++) {
      text = (this.latest[(this.count - back) % MAX_SENTENCE] ?? '') + text;
    }
    return text;
  }
}

/** Whether a sentence tells of the calls of others, or announces an example. */
function speaksOfCalls(sentence: string): boolean {
  const tells = TELLS.test(sentence) && !COMPLETE_END.test(sentence);
  return (tells && !saysThatHeActs(sentence)) || ANNOUNCES.test(sentence);
}

/** Whether a sentence says that the model acts now. */
function saysThatHeActs(sentence: string): boolean {
  return (INTENDS.test(sentence) && !DEPENDS.test(sentence)) || ACTS.test(sentence);
}
