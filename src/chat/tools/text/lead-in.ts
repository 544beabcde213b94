/** Characters in front of the cursor that are looked at, white space included: a power of two, cheap to divide by. */
const MAX_SENTENCE = 256;

const SENTENCE_END = /(?<!\b(?:e\.g|i\.e|z\. ?B|p\. ?ej|etc|par ex))[.!?。！？]\s+|\n/u;

const WRITERS = 'model|assistant|agent|client|caller|user|llm|gateway|server';
const WRITING = 'writes?|calls?|emits?|sends?|outputs?|returns?|produces?|responds?|answers?|uses?|invokes?';

/** Words by which a sentence speaks about calls, or announces an example, instead of making a call. */
const EXAMPLE_WORDS: readonly string[] = [
  String.raw`for example|for instance|e\.g\.|^\W*(?:examples?|format|syntax|usage)\b|hypothetical(?:ly)?`,
  '(?:an|another|one|as|following|complete|full|short|simple|minimal|typical) example',
  'examples? (?:of|call|request|response|output|usage|tool|json)',
  '(?:following|this|same|json) (?:format|syntax|notation|structure|form)|(?:format|syntax|notation) (?:is|looks|for|of)',
  `(?:would|could|might|should) (?:look|be (?:written|called|sent|represented)|${WRITING})`,
  '(?:looks?|look) like|(?:is|are) (?:written|encoded|represented|expressed|documented)',
  `(?:the|a|an) (?:${WRITERS}) (?:then |also |simply )?(?:can|could|may|might|must|should|will|would|${WRITING})`,
  `(?:you|one|they) (?:can|could|would|should|may|might|must) (?:also |then |simply )?(?:${WRITING})`,
  String.raw`zum beispiel|z\. ?B\.|^\W*beispiel|ein beispiel|sieht so aus|das modell`,
  'par exemple|un exemple|le modèle|por ejemplo|un ejemplo|el modelo|per esempio|por exemplo|bijvoorbeeld|na przykład|например',
];

const EXPLAINS = new RegExp(
  `(?<!\\p{L})(?:${EXAMPLE_WORDS.join('|')})(?!\\p{L})|例如|例え|示例|比如|たとえば|例:|例：|예를 들어|예시`,
  'iu',
);

/** The text right before the cursor: whether it says that an example follows. */
export class LeadIn {
  /** The latest pieces in a ring: as many as the sentence can have. */
  private readonly latest: string[] = [];
  private count = 0;
  private isExplaining = false;

  /** Takes the text that passes. Joining the pieces here would cost a tenth of the time of all reading. */
  advance(text: string): void {
    this.latest[this.count++ % MAX_SENTENCE] = text;
  }

  /**
   * Whether the latest sentence speaks about calls instead of making one: `A model writes, for example:`. From then on
   * always: an explanation goes on over several examples, of which only the first is announced.
   */
  explains(): boolean {
    const oldest = this.count % MAX_SENTENCE;
    const text = [...this.latest.slice(oldest), ...this.latest.slice(0, oldest)].join('');
    const sentence = text.slice(-MAX_SENTENCE).trimEnd().split(SENTENCE_END).at(-1) ?? '';
    this.isExplaining ||= EXPLAINS.test(sentence);
    return this.isExplaining;
  }
}
