import { type ToolCallDelta } from '../../../upstream/upstream-driver.js';
import { firstMarker, leadingMarker } from './marker-search.js';
import { REASONING_FORMS, type ReasoningMarkup } from './reasoning-forms.js';
import { type DeltaSink, Stage } from './stage.js';

/** More white space than this at the start, or behind a part, is the answer's own, so that what is held back is bounded. */
const MAX_LEADING_SPACE = 64;

/** How calls begin behind a part: tokens of the model, among them those of the next part, and the forms of prompts. */
const CALL_BEGINNINGS = ['<|', '<tool_call>', '<function='];

/** What separates two parts of the same kind. */
const BETWEEN_PARTS = '\n\n';

/**
 * Position in the answer: `answer` is its text between two markers, `afterAnswer` the place behind the second, `body`
 * passes everything.
 */
type State = 'start' | 'beforeReasoning' | 'reasoning' | 'afterReasoning' | 'answer' | 'afterAnswer' | 'body';

interface PartMarker {
  readonly marker: string;
  readonly form: ReasoningMarkup;
  readonly leadsTo: State;
}

function partMarkers(form: ReasoningMarkup): PartMarker[] {
  const { openers, answer } = form;
  return [
    ...openers.map((marker): PartMarker => ({ marker, form, leadsTo: 'beforeReasoning' })),
    ...(answer?.openers ?? []).map((marker): PartMarker => ({ marker, form, leadsTo: 'answer' })),
  ];
}

const PARTS = new Map(REASONING_FORMS.map((form) => [form, form.answer ? partMarkers(form) : []]));
const START: readonly PartMarker[] = REASONING_FORMS.flatMap((form) => [
  ...partMarkers(form),
  { marker: form.closer, form, leadsTo: 'afterReasoning' },
]);

/**
 * Turns the reasoning that leads an answer, between the markers of its model, into reasoning. Only at the very start of
 * the answer do markers count: later ones are the model's words. Once the upstream reports reasoning in a field of its
 * own, markers are text. White space just inside the opening marker and around the block is dropped. Holds back at most
 * a partial marker and the white space before it.
 */
export class ReasoningSplitterStage extends Stage {
  private state: State = 'start';
  private form = REASONING_FORMS[0]!;
  private held = '';
  /** The marker behind the latest part of the text, which is text itself if no part follows. */
  private answerCloser = '';
  /** What separates the part that begins from the one before it. */
  private gap = '';
  private hasReasoning = false;
  private hasText = false;

  /** @param thoughts takes the reasoning */
  constructor(
    next: DeltaSink,
    private readonly thoughts: Pick<DeltaSink, 'reasoning'> = next,
  ) {
    super(next);
  }

  override reasoning(text: string): void {
    this.leaveStart();
    this.emitReasoning(text);
  }

  override text(text: string): void {
    // What is held is bounded, so nothing is scanned twice.
    let rest = this.held + text;
    this.held = '';
    while (rest !== '' && this.state !== 'body') {
      rest = this.step(rest);
    }
    this.emitText(rest);
  }

  override refusal(text: string): void {
    this.leaveStart();
    this.next.refusal(text);
  }

  override toolCall(delta: ToolCallDelta): void {
    this.leaveStart();
    this.next.toolCall(delta);
  }

  override flush(): void {
    this.leaveStart();
    if (this.state === 'answer') {
      this.emitText(this.held);
    } else if (this.state === 'reasoning') {
      this.emitReasoning(this.held);
    } else {
      this.emitHeldBehindPart();
    }
    this.held = '';
  }

  /** White space there is dropped, and a marker that was cut off behind one of its tokens; less of a marker is text. */
  private emitHeldBehindPart(): void {
    if (this.held.trim() !== '' && !this.held.includes('>')) {
      this.emitText((this.state === 'afterAnswer' ? this.answerCloser : '') + this.held);
    }
  }

  /** Something else than text came first: there will be no leading block, and what was held is text. */
  private leaveStart(): void {
    if (this.state === 'start') {
      this.state = 'body';
      this.emitText(this.held);
      this.held = '';
    }
  }

  /** Reads on from the current position; returns what remains, nothing if more has to arrive. */
  private step(text: string): string {
    switch (this.state) {
      case 'start':
        return this.open(text);
      case 'beforeReasoning':
        return this.beginReasoning(text.trimStart());
      case 'reasoning':
        return this.readReasoning(text);
      case 'afterReasoning':
        return this.beginPart(text.trimStart());
      case 'answer':
        return this.readAnswer(text);
      case 'afterAnswer':
        return this.goOn(text);
      case 'body':
        return text;
    }
  }

  /** Looks for the first marker; returns what follows it, or what is not held back. */
  private open(text: string): string {
    const start = text.trimStart();
    const found = text.length - start.length > MAX_LEADING_SPACE ? undefined : leadingMarker(start, START);
    return this.enter(found, start, text);
  }

  /** Looks for the marker of the next part, behind one; the white space around it is dropped. */
  private beginPart(text: string): string {
    return text === '' ? '' : this.enter(leadingMarker(text, PARTS.get(this.form)!), text, text);
  }

  /** @param without what is text if no marker stands there */
  private enter(found: PartMarker | 'partial' | undefined, text: string, without: string): string {
    if (found === 'partial') {
      this.held = without;
      return '';
    }
    this.state = found?.leadsTo ?? 'body';
    this.gap = this.hasBefore(this.state) ? BETWEEN_PARTS : '';
    if (!found) {
      return without;
    }
    this.form = found.form;
    return text.slice(found.marker.length);
  }

  /** Whether the part that begins is not the first of its kind. */
  private hasBefore(state: State): boolean {
    return state === 'answer' ? this.hasText : state === 'beforeReasoning' && this.hasReasoning;
  }

  private beginReasoning(text: string): string {
    if (text !== '') {
      this.state = 'reasoning';
    }
    return text;
  }

  /** Hands on reasoning up to its end; returns what follows that. */
  private readReasoning(text: string): string {
    const { closer } = this.form;
    const { at, marker } = firstMarker(text, [closer]);
    this.emitReasoning(text.slice(0, at));
    return this.leave(text.slice(at), marker, 'afterReasoning');
  }

  /** Hands on the text of the answer up to the marker behind it; returns what follows that. */
  private readAnswer(text: string): string {
    const { at, marker } = firstMarker(text, this.form.answer!.closers);
    this.emitText(text.slice(0, at));
    this.answerCloser = marker ?? '';
    return this.leave(text.slice(at), marker, 'afterAnswer');
  }

  private leave(text: string, marker: string | undefined, nextState: State): string {
    if (marker === undefined) {
      this.held = text;
      return '';
    }
    this.state = nextState;
    return text.slice(marker.length);
  }

  /** What follows a marker behind text: the end, another marker, or more text, since the marker was only mentioned. */
  private goOn(text: string): string {
    const rest = text.trimStart();
    if (text.length - rest.length > MAX_LEADING_SPACE) {
      // Handed on, it counts towards the limit of tokens.
      this.state = 'body';
      return text;
    }
    if (rest === '') {
      this.held = text;
      return '';
    }
    const { closers } = this.form.answer!;
    const found = leadingMarker(
      rest,
      [...closers, ...CALL_BEGINNINGS].map((marker) => ({ marker })),
    );
    if (found === 'partial') {
      this.held = text;
      return '';
    }
    if (!found) {
      this.emitText(this.answerCloser);
      this.state = 'answer';
      return text;
    }
    return closers.includes(found.marker) ? rest.slice(found.marker.length) : this.beginPart(rest);
  }

  private emitReasoning(text: string): void {
    if (text !== '') {
      this.hasReasoning = true;
      this.thoughts.reasoning(this.takeGap() + text);
    }
  }

  private emitText(text: string): void {
    if (text !== '') {
      this.hasText = true;
      this.next.text(this.takeGap() + text);
    }
  }

  private takeGap(): string {
    const { gap } = this;
    this.gap = '';
    return gap;
  }
}
