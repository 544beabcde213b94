import { type NativeTools, type Prompt, type PromptImage } from '../../upstream/upstream-driver.js';
import { type Correction } from '../completion/guard.js';
import { assistantCalls, type ChatMessage } from '../interfaces/chat-message.js';
import { type ResponseFormat } from '../interfaces/completion-request.js';
import { type ToolOffer } from '../tools/contract/tool-offer.js';
import { toolContract, toolReminder } from '../tools/contract/tool-prompt.js';
import { withoutEmptyArguments } from './empty-arguments.js';
import { emulatedMessages, withInstructions, withText } from './emulated-messages.js';
import { withPairedResults } from './paired-results.js';
import { renderPrompt } from './render-prompt.js';
import { ToolHistoryRenderer } from './tool-history-renderer.js';
import { withoutMedia } from './without-media.js';

/** The tools of a prompt. Without any, the upstream knows tools itself, so that calls are sent as they are. */
export interface PromptTools {
  /** Those that the prompt describes, possibly none, and whose calls are asked for and read as text. */
  readonly offer?: ToolOffer;
  /** Those that the upstream describes to its model itself. */
  readonly native?: NativeTools;
}

export interface PromptParts extends PromptTools {
  /** The caller's messages. */
  readonly conversation: readonly ChatMessage[];
  /** Those that the conversation names by their numbers. */
  readonly images?: readonly PromptImage[];
  readonly format: ResponseFormat;
  /** Instruction on the model's rejected answer. */
  readonly correction?: Correction;
}

/** A conversation for the upstream, as messages and as one text. Each is built at the first read and cached. */
export class ConversationPrompt implements Prompt {
  private renderedText: string | undefined;
  private madeInput: string | undefined;
  private madeContract: string | undefined;
  private madeMessages: readonly ChatMessage[] | undefined;

  constructor(private readonly parts: PromptParts) {}

  get text(): string {
    const { format, offer, correction } = this.parts;
    return (this.renderedText ??= renderPrompt(this.instructed(), {
      format,
      tools: offer?.definitions,
      mayCall: this.contract !== undefined,
      reminder: this.reminder,
      correction: correction?.instruction,
    }));
  }

  /** The text whose tokens count as input. With native tools it includes their definitions, which the upstream adds. */
  get input(): string {
    const { native } = this.parts;
    return (this.madeInput ??= native ? `${this.text}\n\n${JSON.stringify(native.definitions)}` : this.text);
  }

  /** The caller's messages as they go upstream. */
  get conversation(): readonly ChatMessage[] {
    return this.parts.conversation;
  }

  get images(): readonly PromptImage[] {
    return this.parts.images ?? [];
  }

  get messages(): readonly ChatMessage[] {
    return (this.madeMessages ??= this.makeMessages());
  }

  /**
   * Lets go of the texts until they are read again: each is as long as the prompt, and an answer takes minutes. Not where
   * tools are told of in the prompt: upstreams that take text are sent this one, which would be rendered anew.
   */
  releaseTexts(): void {
    if (this.parts.offer === undefined) {
      this.renderedText = undefined;
      this.madeInput = undefined;
    }
  }

  /** The same conversation with a correction at its end, which replaces an earlier one. */
  corrected(correction: Correction): ConversationPrompt {
    return new ConversationPrompt({ ...this.parts, correction });
  }

  /**
   * The same conversation for a model that reads text only.
   * @param field name of the messages in the caller's format, for errors
   * @throws InvalidRequestError where that would leave out what the user has just sent
   */
  withoutMedia(field: string): ConversationPrompt {
    const conversation = withoutMedia(this.parts.conversation, field);
    return new ConversationPrompt({ ...this.parts, conversation });
  }

  private get contract(): string | undefined {
    const { offer } = this.parts;
    return (this.madeContract ??= offer && toolContract(offer));
  }

  private get reminder(): string | undefined {
    const { offer, conversation } = this.parts;
    const hasCalls = (): boolean => conversation.some((message) => assistantCalls(message).length > 0);
    return offer && toolReminder(offer, hasCalls());
  }

  /** The messages with the contract of the tools and with the rejected answer. */
  private instructed(): readonly ChatMessage[] {
    const { contract } = this;
    const { conversation, correction } = this.parts;
    const messages = contract ? withInstructions(conversation, contract) : conversation;
    const rejected = correction?.rejected;
    return rejected === undefined ? messages : [...messages, { role: 'assistant', content: rejected }];
  }

  private makeMessages(): readonly ChatMessage[] {
    const { reminder } = this;
    const { offer, correction } = this.parts;
    const instruction = correction?.instruction;
    if (!offer) {
      const messages = withoutEmptyArguments(withPairedResults(this.instructed()));
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
