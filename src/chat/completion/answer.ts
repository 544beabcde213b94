import { type ToolCallDelta } from '../../upstream/upstream-driver.js';
import { type ToolCall } from '../interfaces/chat-message.js';
import { GrowingText } from './stages/growing-text.js';

/** What was let through to the caller: the JSON answer, token counts and the request log are made from it. */
export class Answer {
  /** The stop sequence that ended it, if one did. */
  stopSequence: string | undefined;
  private readonly textSoFar = new GrowingText();
  private readonly reasoningSoFar = new GrowingText();
  private refusalSoFar = '';
  private readonly calls: { id: string; name: string; arguments: string }[] = [];

  get text(): string {
    return this.textSoFar.text;
  }

  /** What the model said instead of a structured output; empty if it did not refuse. */
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

  addToolCall(delta: ToolCallDelta): void {
    const call = (this.calls[delta.index] ??= { id: '', name: '', arguments: '' });
    call.id ||= delta.id ?? '';
    call.name ||= delta.name ?? '';
    call.arguments += delta.arguments;
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
    return this.calls.length > 0;
  }

  get toolCalls(): ToolCall[] {
    return this.calls.map(({ id, name, arguments: json }) => ({
      id,
      type: 'function',
      function: { name, arguments: json },
    }));
  }
}
