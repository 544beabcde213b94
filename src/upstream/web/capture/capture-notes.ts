import { type CaptureFit, type CaptureUse, type WorkbenchObserver } from '../page/workbench-observer.js';

type Rule = CaptureFit['rule'];

/** Notes what a capture makes of the requests and sockets that fit its rules, for the message of a failure. */
export class CaptureNotes {
  private readonly counts = new Map<string, number>();

  constructor(private readonly workbench?: WorkbenchObserver) {}

  note(rule: Rule, use: CaptureUse, { method, url }: Pick<CaptureFit, 'method' | 'url'>): void {
    this.counts.set(`${rule} ${use}`, this.count(rule, use) + 1);
    this.workbench?.captureFits({ rule, use, method, url });
  }

  /** Whether the capture has something to read from. */
  get hasSource(): boolean {
    return this.count('request', 'taken') + this.count('request', 'followed') > 0;
  }

  /** How many requests fit, but hold no prompt. */
  get others(): number {
    return this.count('request', 'without-prompt') + this.count('promptRequest', 'without-prompt');
  }

  /** The request sent in place of the prompt; undefined if none fits a rule. */
  get beforePrompt(): string | undefined {
    const { others } = this;
    return others === 0
      ? undefined
      : `Requests that fit the recipe: ${others}, none of them with the prompt.`;
  }

  /** Why there is nothing to read from, though the prompt left by `capture.promptRequest`; undefined if there is. */
  afterPrompt(conversationId: string | undefined): string | undefined {
    if (this.hasSource) {
      return undefined;
    }
    const others = this.count('request', 'other-conversation');
    return others === 0
      ? 'The prompt left by capture.promptRequest, but nothing that fits capture.request was seen.'
      : `${others} requests fit capture.request, but not by the id of the conversation, ` +
          (conversationId === undefined
            ? 'which capture.answer.conversation did not find.'
            : `${conversationId}.`);
  }

  private count(rule: Rule, use: CaptureUse): number {
    return this.counts.get(`${rule} ${use}`) ?? 0;
  }
}
