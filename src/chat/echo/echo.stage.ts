import { type ToolCallDelta } from '../../upstream/upstream-driver.js';
import { type AnswerVerdict } from '../completion/guard.js';
import { type DeltaSink, Stage } from '../completion/stages/stage.js';
import { HeldText } from './held-text.js';
import { isLaidOutAlike } from './layout.js';
import { DETECTABLE, EchoIndex, type IndexedResult } from './match/echo-index.js';
import { EchoMatcher } from './match/echo-matcher.js';
import { type EchoMatch, FIRST_HELD } from './match/echo-run.js';
import { leavesOutLines } from './missing-lines.js';
import { MAX_PUSH, Reducer } from './reduce/reducer.js';

/** Characters that are held back later on, so that a run is noticed before its beginning is sent. */
const LAST_HELD = 40;

/** Decides about an answer that repeats a tool result. Called at most once for each answer. */
type OnEcho = (match: EchoMatch) => AnswerVerdict;

/**
 * Notices when the text of an answer repeats a tool result, before any of the repetition is handed on. Reasoning and
 * arguments of calls are not judged. Holds back the first 160 characters, then the last 40 and at most a short piece,
 * and more only during a run.
 */
export class EchoStage extends Stage {
  private readonly reducer = new Reducer();
  private matcher: EchoMatcher | undefined;
  private state: 'judging' | 'passing' | 'stopped' = 'judging';
  private readonly held = new HeldText();
  /** Number of characters that were handed on. */
  private released = 0;
  /** Then no text is the whole answer: agents quote what they go on from. */
  private hasCalls = false;

  /** @param results oldest first; indexed when the first text arrives */
  constructor(
    next: DeltaSink,
    private readonly results: readonly IndexedResult[],
    private readonly onEcho: OnEcho,
  ) {
    super(next);
  }

  override reasoning(text: string): void {
    if (this.state !== 'stopped') {
      this.next.reasoning(text);
    }
  }

  override text(text: string): void {
    if (this.state === 'passing') {
      this.next.text(text);
    } else if (this.state === 'judging') {
      this.held.add(text);
      const matcher = (this.matcher ??= new EchoMatcher(new EchoIndex(this.results)));
      const match = this.scan(matcher, text);
      if (match) {
        this.decide(match);
      } else {
        this.release(this.releasable(matcher));
      }
    }
  }

  override refusal(text: string): void {
    this.flush();
    if (this.state !== 'stopped') {
      this.next.refusal(text);
    }
  }

  /** Text before a call is complete when the call begins. */
  override toolCall(delta: ToolCallDelta): void {
    this.hasCalls = true;
    if (this.held.length > 0) {
      this.flush();
    }
    if (this.state !== 'stopped') {
      this.next.toolCall(delta);
    }
  }

  override flush(): void {
    const { matcher } = this;
    if (this.state !== 'judging' || !matcher) {
      return;
    }
    this.reducer.end();
    const match = matcher.push(this.reducer) ?? (this.hasCalls ? matcher.end() : matcher.endAnswer());
    if (match) {
      this.decide(match);
    } else {
      this.release(this.held.length);
    }
  }

  private scan(matcher: EchoMatcher, text: string): EchoMatch | undefined {
    for (let at = 0; at < text.length; at += MAX_PUSH) {
      this.reducer.push(text, at, Math.min(at + MAX_PUSH, text.length));
      const match = matcher.push(this.reducer);
      if (match) {
        return match;
      }
    }
    return undefined;
  }

  private decide(match: EchoMatch): void {
    const isFair = this.isChangedAsAsked(match.message);
    this.state = !isFair && this.onEcho(match) === 'stop' ? 'stopped' : 'passing';
    if (this.state === 'passing') {
      this.release(this.held.length);
    }
    this.held.clear();
    this.matcher = undefined;
  }

  /** Whether the answer gives a result the other layout that the user asked for, or lacks some of it if he asked for that. */
  private isChangedAsAsked(message: number): boolean {
    const {
      text = '',
      isLayoutAsked,
      isRemovalAsked,
    } = this.results.find((guarded) => guarded.message === message) ?? {};
    return (
      (isLayoutAsked === true && !isLaidOutAlike(this.held.text, text)) ||
      (isRemovalAsked === true && leavesOutLines(this.held.text, text))
    );
  }

  /** Number of held characters that can be handed on. */
  private releasable(matcher: EchoMatcher): number {
    const total = this.released + this.held.length;
    const from = matcher.suspectedFrom;
    if (total <= FIRST_HELD || from < FIRST_HELD) {
      return 0;
    }
    // Where white space prevails, 40 characters hold too few letters to notice a run in.
    const tail = Math.max(total - FIRST_HELD, matcher.offsetOfLast(DETECTABLE + 1));
    return Math.min(from, tail, total - LAST_HELD) - this.released;
  }

  /** Hands on held characters: `length`, or a few less. */
  private release(length: number): void {
    const text = length > 0 ? this.held.take(length) : '';
    if (text !== '') {
      this.released += text.length;
      this.next.text(text);
    }
  }
}
