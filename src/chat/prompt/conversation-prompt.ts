import { type NativeTools, type Prompt } from '../../upstream/upstream-driver.js';
import { type Correction } from '../completion/guard.js';
import { type ChatMessage } from '../interfaces/chat-message.js';
import { type ResponseFormat } from '../interfaces/completion-request.js';
import { type ToolOffer } from '../tools/contract/tool-offer.js';
import { toolContract, toolReminder } from '../tools/contract/tool-prompt.js';
import { emulatedMessages, withInstructions, withText } from './emulated-messages.js';
import { renderPrompt } from './render-prompt.js';
import { assistantCalls, ToolHistoryRenderer } from './tool-history-renderer.js';
import { withUnpairedAsText } from './unpaired-results.js';
import { withoutMedia } from './without-media.js';

/** A conversation for the upstream, as messages and as one text. Each is built at the first read and cached. */
export class ConversationPrompt implements Prompt {
  private renderedText: string | undefined;
  private madeInput: string | undefined;
  private madeContract: string | undefined;
  private madeMessages: readonly ChatMessage[] | undefined;

  /**
   * @param conversation the caller's messages
   * @param offer the tools to describe; undefined if the upstream knows tools itself, so that calls are sent as they are
   * @param native the tools that the upstream describes to its model itself
   * @param correction instruction on the model's rejected answer
   */
  constructor(
    private readonly conversation: readonly ChatMessage[],
    private readonly format: ResponseFormat,
    private readonly offer?: ToolOffer,
    private readonly native?: NativeTools,
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

  /** The text whose tokens count as input. With native tools it includes their definitions, which the upstream adds. */
  get input(): string {
    return (this.madeInput ??= this.native
      ? `${this.text}\n\n${JSON.stringify(this.native.definitions)}`
      : this.text);
  }

  get messages(): readonly ChatMessage[] {
    return (this.madeMessages ??= this.makeMessages());
  }

  /** The same conversation with a correction at its end, which replaces an earlier one. */
  corrected(correction: Correction): ConversationPrompt {
    return new ConversationPrompt(this.conversation, this.format, this.offer, this.native, correction);
  }

  /**
   * The same conversation for a model that reads text only.
   * @param field name of the messages in the caller's format, for errors
   * @throws InvalidRequestError where that would leave out what the user has just sent
   */
  withoutMedia(field: string): ConversationPrompt {
    const messages = withoutMedia(this.conversation, field);
    return new ConversationPrompt(messages, this.format, this.offer, this.native, this.correction);
  }

  private get contract(): string | undefined {
    return (this.madeContract ??= this.offer && toolContract(this.offer));
  }

  private get reminder(): string | undefined {
    const hasCalls = (): boolean => this.conversation.some((message) => assistantCalls(message).length > 0);
    return this.offer && toolReminder(this.offer, hasCalls());
  }

  /** The messages with the contract of the tools and with the rejected answer. */
  private instructed(): readonly ChatMessage[] {
    const { contract, conversation } = this;
    const messages = contract ? withInstructions(conversation, contract) : conversation;
    const rejected = this.correction?.rejected;
    return rejected === undefined ? messages : [...messages, { role: 'assistant', content: rejected }];
  }

  private makeMessages(): readonly ChatMessage[] {
    const { offer, reminder } = this;
    const instruction = this.correction?.instruction;
    if (!offer) {
      const messages = withUnpairedAsText(this.instructed());
      return instruction === undefined ? messages : [...messages, { role: 'user', content: instruction }];
    }
    const closing = [reminder, instruction].filter((part) => part !== undefined).join('\n\n');
    const emulated = emulatedMessages(this.instructed(), new ToolHistoryRenderer(offer.definitions));
    const last = emulated.at(-1);
    if (closing === '') {
      return emulated;
    }
    return last?.role === 'user'
      ? [...emulated.slice(0, -1), withText(last, closing)]
      : [...emulated, { role: 'user', content: closing }];
  }
}
