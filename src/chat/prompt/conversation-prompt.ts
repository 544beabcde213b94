import { type Prompt } from '../../upstream/upstream-driver.js';
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
}
