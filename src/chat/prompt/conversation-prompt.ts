import { type Prompt } from '../../upstream/upstream-driver.js';
import { type Correction } from '../completion/guard.js';
import { type ChatMessage } from '../interfaces/chat-message.js';
import { type ResponseFormat } from '../interfaces/completion-request.js';
import { renderPrompt } from './render-prompt.js';

/** A conversation on its way upstream; the text is rendered once, at the first read. */
export class ConversationPrompt implements Prompt {
  private rendered: string | undefined;

  constructor(
    readonly messages: readonly ChatMessage[],
    private readonly format: ResponseFormat,
  ) {}

  get text(): string {
    return (this.rendered ??= renderPrompt(this.messages, this.format));
  }

  /** The same conversation with a correction as the last thing that the model reads. */
  corrected(correction: Correction): ConversationPrompt {
    const { instruction, rejected } = correction;
    const messages: ChatMessage[] = [
      ...this.messages,
      ...(rejected === undefined ? [] : [{ role: 'assistant', content: rejected } as const]),
      { role: 'user', content: instruction },
    ];
    return new ConversationPrompt(messages, this.format);
  }
}
