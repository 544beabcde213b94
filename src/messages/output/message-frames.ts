import { type Answer } from '../../chat/completion/answer.js';
import { type StreamFrames } from '../../chat/completion/output/stream-frames.js';
import { GrowingText } from '../../chat/completion/stages/growing-text.js';
import { type GatewayError } from '../../common/errors/gateway.errors.js';
import { HEARTBEAT, sseData } from '../../common/http/answer/event-stream.js';
import { type FinishReason, type TokenUsage, type ToolCallDelta } from '../../upstream/upstream-driver.js';
import { MESSAGE_ERRORS } from '../message-errors.js';
import {
  type MessageIdentity,
  type MessageOptions,
  NO_USAGE,
  signatureOf,
  toMessageUsage,
  toStop,
} from './message.js';

type BlockKind = 'text' | 'thinking' | 'tool_use';

/** The member of a delta that carries its piece, up to the piece itself. */
const DELTAS: Readonly<Record<BlockKind, string>> = {
  text: '{"type":"text_delta","text":',
  thinking: '{"type":"thinking_delta","thinking":',
  tool_use: '{"type":"input_json_delta","partial_json":',
};

const PING = frame({ type: 'ping' });

/**
 * The events of a message: blocks of thinking, text and calls, one after the other, each with a start, deltas and an
 * end. What all deltas of a block share is serialised once, so that a piece costs one `JSON.stringify` of its text.
 */
export class MessageFrames implements StreamFrames {
  private hasBegun = false;
  private promptTokens = 0;
  /** The open block; undefined before the first. */
  private kind: BlockKind | undefined;
  private blockIndex = -1;
  /** A delta of the open block up to its piece. */
  private deltaHead = '';
  /** The call of the open block. */
  private callIndex = -1;
  /** Thinking of the open block, if it is not shown. */
  private readonly hidden = new GrowingText();
  /** Text and thinking behind the first call: a block that was left cannot be entered again. */
  private readonly late: (() => string)[] = [];

  /** @param requestId for errors */
  constructor(
    private readonly identity: MessageIdentity,
    private readonly options: MessageOptions,
    private readonly requestId: string,
  ) {}

  /** Until the message has started, an event would come too early. */
  heartbeat(): string {
    return this.hasBegun ? PING : HEARTBEAT;
  }

  tellPrompt(count: () => number): void {
    this.promptTokens = count();
  }

  begin(): string {
    this.hasBegun = true;
    const { id, model } = this.identity;
    const usage = { ...NO_USAGE, input_tokens: this.promptTokens };
    const rest = { content: [], stop_reason: null, stop_sequence: null, usage };
    const message = { id, type: 'message', role: 'assistant', model, ...rest };
    return frame({ type: 'message_start', message });
  }

  text(text: string): string {
    return this.piece('text', text);
  }

  /** A text as any other; that it refuses is said at its end. */
  refusal(text: string): string {
    return this.piece('text', text);
  }

  reasoning(text: string): string {
    return this.piece('thinking', text);
  }

  toolCall({ index, id = '', name = '', arguments: json }: ToolCallDelta): string {
    const start =
      index === this.callIndex ? '' : this.open('tool_use', { type: 'tool_use', id, name, input: {} });
    this.callIndex = index;
    return json === '' ? start : start + this.delta(json);
  }

  end(answer: Answer, reason: FinishReason, usage: TokenUsage): string {
    this.callIndex = -1;
    const late = this.late.map((piece) => piece()).join('');
    const delta = toStop(answer, reason);
    return (
      late +
      this.close() +
      frame({ type: 'message_delta', delta, usage: toMessageUsage(usage) }) +
      frame({ type: 'message_stop' })
    );
  }

  error(error: GatewayError): string {
    return `event: error\n${sseData(JSON.stringify(MESSAGE_ERRORS.body(error, this.requestId)))}`;
  }

  private piece(kind: 'text' | 'thinking', text: string): string {
    if (this.callIndex >= 0) {
      this.late.push(() => this.piece(kind, text));
      return '';
    }
    const start = this.kind === kind ? '' : this.open(kind, emptyBlock(kind));
    if (kind === 'thinking' && this.options.omitsThinking) {
      this.hidden.add(text);
      return start;
    }
    return start + this.delta(text);
  }

  private delta(piece: string): string {
    return `${this.deltaHead}${JSON.stringify(piece)}}}\n\n`;
  }

  /** Ends the open block and begins another. */
  private open(kind: BlockKind, block: object): string {
    const closed = this.close();
    this.kind = kind;
    this.blockIndex++;
    const index = this.blockIndex;
    this.deltaHead =
      'event: content_block_delta\n' +
      `data: {"type":"content_block_delta","index":${index},"delta":${DELTAS[kind]}`;
    return closed + frame({ type: 'content_block_start', index, content_block: block });
  }

  private close(): string {
    if (this.kind === undefined) {
      return '';
    }
    const index = this.blockIndex;
    const signature = this.kind === 'thinking' ? this.signature() : '';
    this.kind = undefined;
    return signature + frame({ type: 'content_block_stop', index });
  }

  private signature(): string {
    const delta = { type: 'signature_delta', signature: signatureOf(this.hidden.text, this.options) };
    this.hidden.text = '';
    return frame({ type: 'content_block_delta', index: this.blockIndex, delta });
  }
}

function emptyBlock(kind: 'text' | 'thinking'): object {
  return kind === 'text' ? { type: kind, text: '' } : { type: kind, thinking: '', signature: '' };
}

/** An event by the name of its type. */
function frame(data: Readonly<Record<string, unknown>> & { readonly type: string }): string {
  return `event: ${data.type}\n${sseData(JSON.stringify(data))}`;
}
