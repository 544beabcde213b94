import { type ToolCallDelta } from '../../upstream/upstream-driver.js';
import { type ToolCall } from '../interfaces/chat-message.js';
import { GrowingText } from './stages/growing-text.js';

interface AnswerCall {
  readonly place: number;
  id: string;
  name: string;
  arguments: string;
}

/** The answer as let through to the caller: source of the JSON answer, token counts and the request log. */
export class Answer {
  /** The stop sequence that ended it, if one did. */
  stopSequence: string | undefined;
  /** Whether it held calls that it must not make, and that were not let through. */
  hasDroppedCalls = false;
  private readonly textSoFar = new GrowingText();
  private readonly reasoningSoFar = new GrowingText();
  private refusalSoFar = '';
  /** Calls by the index of their deltas, in the order of their beginning; an index may have been left out. */
  private readonly calls = new Map<number, AnswerCall>();

  get text(): string {
    return this.textSoFar.text;
  }

  /** The model's refusal to answer; empty if it did not refuse. */
  get refusal(): string {
    return this.refusalSoFar;
  }

  get reasoning(): string {
    return this.reasoningSoFar.text;
  }

  addText(text: string): void {
    this.textSoFar.add(text);
  }

  addReasoning(text: string): void {
    this.reasoningSoFar.add(text);
  }

  addRefusal(text: string): void {
    this.refusalSoFar += text;
  }

  /** @returns place of the call among those of the answer, from 0 */
  addToolCall(delta: ToolCallDelta): number {
    let call = this.calls.get(delta.index);
    if (!call) {
      call = { place: this.calls.size, id: '', name: '', arguments: '' };
      this.calls.set(delta.index, call);
    }
    call.id ||= delta.id ?? '';
    call.name ||= delta.name ?? '';
    call.arguments += delta.arguments;
    return call.place;
  }

  get isEmpty(): boolean {
    return (
      this.textSoFar.length === 0 &&
      this.reasoningSoFar.length === 0 &&
      this.refusalSoFar === '' &&
      !this.hasToolCalls
    );
  }

  get hasToolCalls(): boolean {
    return this.calls.size > 0;
  }

  get toolCalls(): ToolCall[] {
    return [...this.calls.values()].map(({ id, name, arguments: json }) => ({
      id,
      type: 'function',
      function: { name, arguments: json },
    }));
  }
}
