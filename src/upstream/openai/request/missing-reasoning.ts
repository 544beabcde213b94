import { type UpstreamRequest } from '../../upstream-driver.js';
import { type Failure } from '../upstream-failure.js';

/** Complaints of DeepSeek, Kimi and servers before them. */
const MISSING = /reasoning_content.{0,60}(?:missing|must be passed back)|missing .?reasoning_content/i;

/** DeepSeek refuses an empty one. */
const BLANK = ' ';

interface Message {
  readonly role?: string;
  readonly reasoning_content?: string | null;
}

/**
 * Models that take the answers of a history only with what they thought. Many clients do not give that back; with a
 * blank in its place their conversations go on.
 */
export class MissingReasoning {
  private readonly models = new Set<string>();
  private readonly filledOnce = new WeakSet<UpstreamRequest>();

  /** The messages of a request as its model takes them, as far as is known. */
  filled(request: UpstreamRequest, messages: readonly object[]): readonly object[] {
    if (!this.models.has(request.model)) {
      return messages;
    }
    this.filledOnce.add(request);
    return messages.map((message) =>
      lacksReasoning(message) ? { ...message, reasoning_content: BLANK } : message,
    );
  }

  /**
   * Whether the complaint is about it, and the request can succeed with blanks.
   * @param request the one refused; the same object is sent again
   */
  learn(request: UpstreamRequest, { status, text, quoted = '' }: Failure): boolean {
    const [complaint] = MISSING.exec(text) ?? [];
    if (
      (status !== 400 && status !== 422) ||
      complaint === undefined ||
      quoted.includes(complaint) ||
      this.filledOnce.has(request) ||
      !request.prompt.messages.some(lacksReasoning)
    ) {
      return false;
    }
    this.models.add(request.model);
    return true;
  }
}

function lacksReasoning({ role, reasoning_content: reasoning }: Message): boolean {
  return role === 'assistant' && (reasoning === undefined || reasoning === null || reasoning === '');
}
