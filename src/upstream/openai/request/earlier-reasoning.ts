import { type FormFailure } from '../upstream-failure.js';

/** Complaints of DeepSeek, Kimi and servers before them. */
const MISSING = /reasoning_content.{0,60}(?:missing|must be passed back)|missing .?reasoning_content/i;

/** DeepSeek refuses an empty one. */
const BLANK = ' ';

/** The two names that servers have for the reasoning of a message. */
export type ReasoningName = 'reasoning_content' | 'reasoning';

type Message = { readonly role?: string } & Readonly<Partial<Record<ReasoningName, string | null>>>;

/**
 * The reasoning of earlier answers, as an upstream's models take it: under the name that it has in their answers, since
 * servers that call it `reasoning` (vLLM, OpenRouter, Groq, Ollama) pass the other name over or refuse it. Some models
 * take the answers of a history only with what they thought. Many clients do not give that back; with a blank in its
 * place their conversations go on.
 */
export class EarlierReasoning {
  private readonly named = new Set<string>();
  private readonly missed = new Set<string>();

  /** The messages as the model takes them, as far as is known. */
  of(model: string, messages: readonly Message[]): readonly Message[] {
    const change = this.missed.has(model) ? filled : this.named.has(model) ? renamed : undefined;
    return change ? messages.map(change) : messages;
  }

  /** Notes the name under which a model gives its reasoning. */
  answered(model: string, name: ReasoningName): void {
    if (name === 'reasoning') {
      this.named.add(model);
    } else {
      this.named.delete(model);
    }
  }

  /**
   * Whether the complaint is about reasoning that is missing, and the request can succeed with it or with blanks.
   * @param sent the messages that were refused
   */
  learn(model: string, sent: readonly Message[], { status, text, quoted = '' }: FormFailure): boolean {
    const [complaint] = MISSING.exec(text) ?? [];
    if (
      (status !== 400 && status !== 422) ||
      complaint === undefined ||
      quoted.includes(complaint) ||
      !sent.some(lacksReasoning)
    ) {
      return false;
    }
    this.missed.add(model);
    return true;
  }
}

function filled(message: Message): Message {
  return lacksReasoning(message) ? { ...message, reasoning_content: BLANK } : message;
}

function renamed(message: Message): Message {
  const { reasoning_content: reasoning, ...rest } = message;
  return reasoning ? { ...rest, reasoning } : message;
}

function lacksReasoning({ role, reasoning_content: reasoning }: Message): boolean {
  return role === 'assistant' && (reasoning === undefined || reasoning === null || reasoning === '');
}
