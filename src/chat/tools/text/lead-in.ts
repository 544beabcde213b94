/** Characters in front of the cursor that are looked at, white space included: a power of two, cheap to divide by. */
const MAX_SENTENCE = 256;

/** A quotation mark with nothing or a blank in front of it, or the beginning of a comment in HTML, or of code in it or LaTeX. */
const OPENING_QUOTE =
  /(?:^|[\s(])["'“„«]$|<!--\s?$|<(?:code|pre)(?:\s[^<>]*)?>\s?$|\\begin\{(?:verbatim|lstlisting|alltt)\*?\}\s?$/iu;

/** The end of a sentence that presents what follows it, emphasis included. */
const PRESENTING_END = /[:：][\s*_]*$/u;

/** The label of ReAct in front of a call. */
const ACTION_LABEL = /^\W*action\W*$/i;

/** The end of a sentence that is complete without what follows it. */
const COMPLETE_END = /[.!?。！？]\P{L}*$/u;

/** Names of models and of their makers, with a version perhaps. */
const MODELS = String.raw`(?:hermes|mistral|qwen|llama|deepseek|kimi|glm|gpt-oss|harmony|minimax|gemma|phi|granite|command r|claude|anthropic|openai)(?:[ -]?\d[\w.-]*)?`;

/**
 * A line that names no more than a model, with or without its format, as the heading or the label of what follows:
 * `## Hermes`, `1. **Mistral format:**`.
 */
const MODEL_LABEL = new RegExp(
  String.raw`^\s*(?:#{1,6}\s+|[-*+]\s+|\d+[.)]\s+)?[*_]*(?:${MODELS})(?: (?:format|style|syntax))?[*_]*(?:[:\uff1a][*_]*)?\s*$`,
  'iu',
);

/** Words of text about the form of calls, in which the name of a model is that of its form. */
const FORMS_OF_CALLS =
  /(?<!\p{L})(?:formats?|syntax|notations?|markup|dialects?|(?:tool|function)[ -]calls?|wraps?)(?!\p{L})/iu;

/** A line that is quoted, up to the cursor. */
const QUOTED_LINE = /(?:^|\n)>[^\n]*$/u;

/** A line of code that is indented, as Markdown has it, with text in front of the cursor: `    [upstream] `. */
const CODE_LINE = /\n[^\S\n]*\n(?:(?: {4}|\t)[^\n]*\n)*(?: {4}|\t)[^\S\n]*\S[^\n]*$/;

/** The place in front of a line of code that is indented, as Markdown has it. */
const INDENTED_CODE = /\n[^\S\n]*\n(?: {4}|\t)[^\S\n]*$/;

/** The beginning of an item of a list, up to the cursor. */
const LIST_ITEM = /(?:^|\n)[^\S\n]*(?:[-*+]|\d+[.)])[^\S\n]+$/;

/** Words of a sentence that can mention a call within it; of fewer, a call may be the rest. */
const MENTIONING = /^\P{L}*(?:\p{L}+\P{L}+){3}\p{L}/u;

/** The beginning of a sentence that tells somebody what to write. */
const INSTRUCTING =
  /^\P{L}*(?:(?:always|only|just|then) )?(?:answer|reply|respond|write|type|output|emit|return|send|paste|insert)(?!\p{L})/iu;

/** The end of a sentence that compares something with what follows. */
const COMPARING_END = /(?<!\p{L})(?:like|such as)\s*$/iu;

/** Signs that may stand around a mention, behind words in the same line. Group 1: the last of them. */
const OPENING_SIGN = /[^\s('"][^\S\n]*['"(]*(['"(])$/u;

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
  String.raw`^\W*(?:instead of|rather than)|(?:never|do not|don['\u2019]t|must not) (?:write|emit|send|output|answer with|return)\W*$`,
  '(?:raw|failed|unparsed) (?:answer|output|response|reply|completion|generation)',
  String.raw`^\W*(?:an?|one) (?:complete|full|whole|typical) (?:turn|call|answer|exchange|output) is\W*$`,
  String.raw`(?:tells?|told|asks?|asked) me to [^:]{1,40} (?:so|thus|this way)\W*$|^\W*here(?:['\u2019]s| is) how (?:i|you|we|one) (?:would|could|might)`,
  '(?:looks?|look) like|(?:is|are) (?:written|encoded|represented|expressed|documented)',
  `(?:the|an?) (?:${WRITERS}) (?:then |also |simply )?(?:${MAY}) (?:be |also )?(?:${WRITING})`,
  `(?:the|an?) (?:models?|assistants?|llms?) (?:then |also |simply )?(?:${WRITING})`,
  `(?:you|one|they) (?:can|could|would|should|may|might|must) (?:also |then |simply )?(?:${WRITING})`,
  String.raw`zum beispiel|z\. ?B\.|^\W*beispiel|ein beispiel|sieht so aus|wird so|wird wie folgt|das modell`,
  "par exemple|un exemple|le modèle|ressemble à|s'écrit|por ejemplo|un ejemplo|el modelo|se escribe|se ve así",
  'per esempio|por exemplo|o modelo|se escreve|bijvoorbeeld|na przykład|например|выглядит так',
  'il modello scrive|модель (?:пишет|выводит|отвечает)|model şöyle',
];

/** Words by which a sentence tells of calls that others make, or that were made before, unless it has ended. */
const TELLING_WORDS: readonly string[] = [
  `(?:${WRITERS}|${MODELS}|it|they|he|she) (?:then |also |simply |usually |always |often |now )?(?:${WRITING})`,
  `(?:${WRITERS}|it|they|he|she|i|we|you) (?:then |also |had |has |have |just )?(?:${WROTE})`,
  `(?:${WRITERS})['’]s? (?:output|answer|reply|response|message|call|request|text)`,
  `(?:logs?|history|transcripts?|traces?|reports?|records?|docs|documentation|spec|readme|templates?|tests?) (?:also )?(?:contains?|shows?|holds?|lists?|includes?|expects?)`,
  String.raw`(?:was|were|reads?|holds?|contains?|becomes?|lautet|enth\u00e4lt|\u00e9tait|contient|contiene)[\s*_]*$`,
  `(?:models?|assistants?|llms?) (?:is|are|was|were) (?:told|asked|instructed|trained|prompted|expected|taught|supposed) to`,
  '(?:templates?|parsers?|renderers?|tests?) (?:renders?|prints?|feeds?|emits?) (?:this|these|the following)',
  String.raw`(?:regex|regexp|regular expression|pattern) (?:fails|matches|breaks|stops) (?:(?:on|at|in) )?(?:it|this|that)\W*$`,
  String.raw`(?:apis?|endpoints?|services?) (?:returns?|sends?|expects?|takes)(?: this| the following)?\W*$`,
  'samples? (?:of|call|tool|request|response|output)|fixtures? (?:for|of)|pseudo-?code|wire format',
  String.raw`^\W*(?:before|after|wrong|right|(?:in)?correct|(?:in)?valid|bad|good|old|new|expected|actual)(?: \(\w+\))?\W*:\W*$`,
];

/** Words that turn what stands before them into what the model does not do; `not only` does both. */
const UNLESS_NEGATED = String.raw`(?! ?(?:n?['\u2019]t|not|never)(?! only)(?!\p{L}))`;

/** Words by which the model says that it acts now; then what others do is only its subject. */
const INTENDING_WORDS: readonly string[] = [
  `(?:let me|let's|let us|(?:i|we)(?:'|’)ll|(?:i|we) (?:will|shall|need|want|should|must|can)|(?:i|we)(?:'|’| a)?(?:m|re) going to)${UNLESS_NEGATED}`,
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
  '|モデルの出力|モデルは.{0,20}(?:出力|書)|모델[은이].{0,20}출력|例如|例え|示例|比如|格式|会返回|会输出|たとえば|次のような|例:|例：|예를 들어|예시',
);
const TELLS = wordsOf(TELLING_WORDS);
const INTENDS = wordsOf(INTENDING_WORDS);
/** A sentence of what the model does only if the caller lets it. */
const DEPENDS =
  /^\W*(?:if|once|unless|should|when|after) you (?:confirm|agree|approve|allow|say (?:so|yes)|are (?:ok|okay|fine|happy))(?!\p{L})/iu;
/** A question whether the model may act. */
const ASKS_LEAVE =
  /^\W*(?:(?:shall|should|may|can|could) (?:i|we)|(?:do|would) you (?:want|like)|is (?:this|that|it) (?:ok|okay|fine|right)|soll(?:en)? (?:ich|wir))(?!\p{L}).*[?？][\s*_]*$/iu;
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
   * about calls, or an example was found before, and nobody says that he acts. A colon or a heading does not suffice,
   * since models present their calls by them. The rest of a sentence does if that sentence may only mention the calls,
   * and the second of two signs if the first stands before them.
   */
  get exampleEnd(): ExampleEnd {
    const { sentence } = this;
    const text = this.before(MAX_SENTENCE).slice(-MAX_SENTENCE);
    const isAbout =
      this.hasExample ||
      QUOTED_LINE.test(text) ||
      CODE_LINE.test(text) ||
      INDENTED_CODE.test(text) ||
      labelsFormat(text) ||
      speaksOfCalls(sentence);
    const mayMention =
      LIST_ITEM.test(text) ||
      COMPARING_END.test(sentence) ||
      INSTRUCTING.test(sentence) ||
      (this.mayGoOn && !PRESENTING_END.test(sentence) && MENTIONING.test(sentence));
    const sign = OPENING_SIGN.exec(text)?.[1] ?? '';
    return {
      byAnyText: isAbout && !saysThatHeActs(sentence),
      byRestOfSentence: mayMention && !this.endsInLineBreak,
      bySign: sign === '(' ? ')' : sign,
    };
  }

  /** Whether the latest sentence has not ended and says of nobody that he acts, so that it may go on in what follows. */
  get mayGoOn(): boolean {
    const { sentence } = this;
    return sentence !== '' && !COMPLETE_END.test(sentence) && !saysThatHeActs(sentence);
  }

  /**
   * Whether the latest sentence may present an example: if it ends in a colon and says of nobody that he acts, or asks
   * whether the model may.
   */
  get mayBePresenting(): boolean {
    const { sentence } = this;
    return (PRESENTING_END.test(sentence) && !INTENDS.test(sentence)) || ASKS_LEAVE.test(sentence);
  }

  /** Whether the latest sentence is no more than the label of what the model does. */
  get labelsAction(): boolean {
    return ACTION_LABEL.test(this.sentence);
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

/** Whether the last line is the label of a form of calls, in text about such forms. */
function labelsFormat(text: string): boolean {
  const line = text.trimEnd().split('\n').at(-1) ?? '';
  return MODEL_LABEL.test(line) && FORMS_OF_CALLS.test(text) && !INTENDS.test(text);
}

/** Whether a sentence tells of the calls of others, or announces an example. */
function speaksOfCalls(sentence: string): boolean {
  const tells = TELLS.test(sentence) && !COMPLETE_END.test(sentence);
  return (tells && !saysThatHeActs(sentence)) || ANNOUNCES.test(sentence) || DEPENDS.test(sentence);
}

/** Whether a sentence says that the model acts now. */
function saysThatHeActs(sentence: string): boolean {
  return (INTENDS.test(sentence) && !DEPENDS.test(sentence)) || ACTS.test(sentence);
}
