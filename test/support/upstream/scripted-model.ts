import { type OpenAiStub, type StubPlan, type StubRequestBody } from './openai-stub.js';
import { answer } from './openai-stub-plans.js';

/** A call that the model makes. */
export interface ScriptedCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const CALL = 'call_';

/** Marker of the model's progress, in each text that may become a summary of the conversation. */
const PROGRESS = 'STEPS_DONE=';

/**
 * A model that works a list of calls off, one an answer, and then says its last words. Which call is next it reads from
 * the results in its prompt, so that a repeated request gets the same answer; of results that a summary replaced the
 * summary says how many they were.
 */
export class ScriptedModel {
  private readonly disturbances: StubPlan[] = [];
  private disturbedAfter = 1;
  /** Results seen so far. */
  private reached = 0;

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

  /** Makes the next answers after the first result something else. */
  disturb(...plans: StubPlan[]): void {
    this.disturbAfter(1, ...plans);
  }

  /** The same after a later result. */
  disturbAfter(results: number, ...plans: StubPlan[]): void {
    this.disturbedAfter = results;
    this.disturbances.push(...plans);
  }

  /** @param refusal its answer to any prompt with a picture; without one it looks at it */
  serve(stub: OpenAiStub, refusal?: StubPlan): void {
    stub.answerWith((reply) => {
      const { body } = reply.request;
      const plan = refusal && hasPicture(body) ? refusal : this.planFor(body);
      return plan(reply);
    });
  }

  private planFor(body: StubRequestBody): StubPlan {
    const text = JSON.stringify(body.messages ?? []);
    const isTask = this.isNative ? body.tools !== undefined : text.includes('<tool_definitions>');
    if (!isTask) {
      return answer({ pieces: pieces(`A title, ${this.progress}`) });
    }
    if (this.summaryMarker !== undefined && lastText(body).includes(this.summaryMarker)) {
      return answer({ pieces: pieces(`<summary>The steps are to be done. ${this.progress}</summary>`) });
    }
    const done = this.resultsIn(body, text);
    this.reached = Math.max(this.reached, done);
    const disturbance = done === this.disturbedAfter ? this.disturbances.shift() : undefined;
    return disturbance ?? this.step(done);
  }

  private get progress(): string {
    return PROGRESS + String(this.reached);
  }

  private resultsIn({ messages = [] }: StubRequestBody, text: string): number {
    const told = [...text.matchAll(new RegExp(`${PROGRESS}(\\d+)`, 'g'))].map(([, count]) => Number(count));
    const summarised = Math.max(0, ...told);
    if (!this.isNative) {
      return summarised + text.split('<tool_response name=').length - 1;
    }
    // A client may keep results beside a summary that speaks of them, too.
    const ids = messages.filter(({ role }) => role === 'tool').map(answeredCall);
    return ids.some(Number.isNaN)
      ? summarised + ids.length
      : Math.max(summarised, ...ids.map((index) => index + 1));
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
            { id: `${CALL}${index}`, name: call.name, arguments: pieces(JSON.stringify(call.input)) },
          ],
        })
      : answer({ reasoning: ['Next.'], pieces: pieces(asText(call)) });
  }
}

function hasPicture({ messages = [] }: StubRequestBody): boolean {
  return messages.some(
    ({ content }) =>
      Array.isArray(content) && content.some(({ type }: { readonly type?: string }) => type === 'image_url'),
  );
}

/** Index of the call that a result answers; NaN if its client has changed the id. */
function answeredCall({ tool_call_id: id }: { readonly tool_call_id?: string }): number {
  return Number(String(id).replace(CALL, ''));
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
