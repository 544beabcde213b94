import { type OpenAiStub, type StubPlan, type StubRequestBody } from './openai-stub.js';
import { answer } from './openai-stub-plans.js';

/** A call that the model makes. */
export interface ScriptedCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * A model that works a list of calls off, one an answer, and then says its last words. Which call is next it reads from
 * the results in its prompt, so that a repeated request gets the same answer.
 */
export class ScriptedModel {
  private readonly disturbances: StubPlan[] = [];

  /**
   * @param isNative whether it calls tools itself, or writes calls as text
   * @param summaryMarker words by which its client asks for a summary of the conversation
   */
  constructor(
    private readonly isNative: boolean,
    private readonly calls: readonly ScriptedCall[],
    private readonly lastWords: string,
    private readonly summaryMarker?: string,
  ) {}

  /** Makes the next answers within the task something else. */
  disturb(...plans: StubPlan[]): void {
    this.disturbances.push(...plans);
  }

  serve(stub: OpenAiStub): void {
    stub.answerWith((reply) => {
      const plan = this.planFor(reply.request.body);
      return plan(reply);
    });
  }

  private planFor(body: StubRequestBody): StubPlan {
    const text = JSON.stringify(body.messages ?? []);
    const isTask = this.isNative ? body.tools !== undefined : text.includes('<tool_definitions>');
    if (!isTask) {
      return answer({ pieces: ['A title'] });
    }
    if (this.summaryMarker !== undefined && lastText(body).includes(this.summaryMarker)) {
      return answer({ pieces: pieces('<summary>The steps are to be done.</summary>') });
    }
    const done = this.isNative
      ? (body.messages ?? []).filter(({ role }) => role === 'tool').length
      : text.split('<tool_response name=').length - 1;
    const disturbance = done === 1 ? this.disturbances.shift() : undefined;
    return disturbance ?? this.step(done);
  }

  private step(index: number): StubPlan {
    const call = this.calls[index];
    if (!call) {
      return answer({ reasoning: ['All ', 'done.'], pieces: pieces(this.lastWords) });
    }
    return this.isNative
      ? answer({
          reasoning: ['Next.'],
          pieces: [],
          toolCalls: [
            { id: `call_${index}`, name: call.name, arguments: pieces(JSON.stringify(call.input)) },
          ],
        })
      : answer({ reasoning: ['Next.'], pieces: pieces(asText(call)) });
  }
}

function lastText({ messages = [] }: StubRequestBody): string {
  return String(messages.at(-1)?.content ?? '');
}

function asText({ name, input }: ScriptedCall): string {
  const parameters = Object.entries(input).map(
    ([key, value]) =>
      `<parameter=${key}>${typeof value === 'string' ? value : JSON.stringify(value)}</parameter>`,
  );
  return `<tool_call>\n<function=${name}>\n${parameters.join('\n')}\n</function>\n</tool_call>`;
}

function pieces(text: string): string[] {
  return text.match(/[^]{1,7}/g) ?? [];
}
