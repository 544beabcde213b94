import { type Prompt } from '../../upstream/upstream-driver.js';
import { type Correction } from '../completion/guard.js';
import { type ChatMessage } from '../interfaces/chat-message.js';
import { type ResponseFormat } from '../interfaces/completion-request.js';
import { type ToolOffer } from '../tools/contract/tool-offer.js';
import { toolContract, toolReminder } from '../tools/contract/tool-prompt.js';
import { emulatedMessages, withInstructions, withText } from './emulated-messages.js';
import { renderPrompt } from './render-prompt.js';
import { assistantCalls, ToolHistoryRenderer } from './tool-history-renderer.js';

/** A conversation on its way upstream, as messages and as one text; each is made once, at the first read. */
export class ConversationPrompt implements Prompt {
  private renderedText: string | undefined;
  private madeContract: string | undefined;
  private madeMessages: readonly ChatMessage[] | undefined;

  /**
   * @param conversation the caller's messages
   * @param offer what to say of tools; undefined if the upstream knows tools itself and takes calls as they are
   */
  constructor(
    private readonly conversation: readonly ChatMessage[],
    private readonly format: ResponseFormat,
    private readonly offer?: ToolOffer,
    private readonly correction?: Correction,
  ) {}

  get text(): string {
    return (this.renderedText ??= renderPrompt(this.instructed(), {
      format: this.format,
      tools: this.offer?.definitions,
      mayCall: this.contract !== undefined,
      reminder: this.reminder,
      correction: this.correction?.instruction,
    }));
  }

  get messages(): readonly ChatMessage[] {
    return (this.madeMessages ??= this.makeMessages());
  }

  /** The same conversation with a correction as the last thing that the model reads, in place of an earlier one. */
  corrected(correction: Correction): ConversationPrompt {
    return new ConversationPrompt(this.conversation, this.format, this.offer, correction);
  }

  private get contract(): string | undefined {
    return (this.madeContract ??= this.offer && toolContract(this.offer));
  }

  private get reminder(): string | undefined {
    const hasCalls = (): boolean => this.conversation.some((message) => assistantCalls(message).length > 0);
    return this.offer && toolReminder(this.offer, hasCalls());
  }

  /** The messages with the tools' contract, and with the answer that is to be corrected. */
  private instructed(): readonly ChatMessage[] {
    const { contract, conversation } = this;
    const messages = contract ? withInstructions(conversation, contract) : conversation;
    const rejected = this.correction?.rejected;
    return rejected === undefined ? messages : [...messages, { role: 'assistant', content: rejected }];
  }

  private makeMessages(): readonly ChatMessage[] {
    const { offer, reminder } = this;
    const instruction = this.correction?.instruction;
    const messages = this.instructed();
    if (!offer) {
      return instruction === undefined ? messages : [...messages, { role: 'user', content: instruction }];
    }
    const closing = [reminder, instruction].filter((part) => part !== undefined).join('\n\n');
    const emulated = emulatedMessages(messages, new ToolHistoryRenderer(offer.definitions));
    const last = emulated.at(-1);
    if (closing === '') {
      return emulated;
    }
    return last?.role === 'user'
      ? [...emulated.slice(0, -1), withText(last, closing)]
      : [...emulated, { role: 'user', content: closing }];
  }
}
