import { type ServerResponse } from 'node:http';
import { type GatewayError } from '../../../common/errors/gateway.errors.js';
import { EVENT_STREAM_HEADERS } from '../../../common/http/answer/event-stream.js';
import { cutStalledCaller } from '../../../common/http/server/stalled-caller.js';
import { FlowValve } from '../../../upstream/flow-gate.js';
import { type FinishReason, type TokenUsage, type ToolCallDelta } from '../../../upstream/upstream-driver.js';
import { type Answer } from '../answer.js';
import { type CompletionOutput, type StreamFailure } from './completion-output.js';
import { type StreamFrames } from './stream-frames.js';

/** Time to read the event before the connection breaks. */
const READ_EVENT_MS = 50;

export interface StreamOutputOptions {
  /** Silence after which the stream is begun with a heartbeat although nothing was accepted. */
  readonly heartbeatAfterMs: number;
  /** Silence between two heartbeats; a caller that takes nothing in is cut off after one to two of them. */
  readonly heartbeatIntervalMs: number;
  /** Called at the end of an answer behind which others follow; without it the response ends there. */
  readonly onWhole?: (usage: TokenUsage) => void;
}

/**
 * Writes a completion as a stream in the wire format of its frames. All frames of one event-loop tick go out
 * in one write, and the gate closes while the socket's buffer is full.
 */
export class StreamOutput implements CompletionOutput {
  readonly flow = new FlowValve();
  private pending = '';
  private flushScheduled = false;
  private hasBegun = false;
  /** Pieces of tool calls that wait for the end: see `toolCall`. */
  private heldToolCalls: ToolCallDelta[] = [];
  private timer: NodeJS.Timeout;

  /** Timers end with the response. */
  constructor(
    private readonly response: ServerResponse,
    private readonly frames: StreamFrames,
    private readonly options: StreamOutputOptions,
  ) {
    this.timer = this.startTimer();
    if (response.writableNeedDrain) {
      this.flow.close();
    }
    response.on('drain', this.onDrain);
    response.on('close', this.onClose);
  }

  get isCommitted(): boolean {
    return this.response.headersSent;
  }

  tellPrompt(count: () => number): void {
    this.frames.tellPrompt?.(count);
  }

  begin(): void {
    if (!this.hasBegun) {
      this.hasBegun = true;
      this.commit();
      this.pending += this.frames.begin();
    }
  }

  text(text: string): void {
    this.pending += this.frames.text(text);
  }

  reasoning(text: string): void {
    this.pending += this.frames.reasoning(text);
  }

  refusal(text: string): void {
    this.pending += this.frames.refusal(text);
  }

  /**
   * The piece that completes a call leaves together with the end of the stream: agents run a tool twice
   * when a stream breaks after a complete call. Which piece that is shows only when no other of its call
   * follows, so the first call streams one piece behind, and further calls wait for the end.
   */
  toolCall(delta: ToolCallDelta): void {
    const [held] = this.heldToolCalls;
    if (this.heldToolCalls.length === 1 && held?.index === delta.index) {
      this.releaseToolCalls();
    }
    this.heldToolCalls.push(delta);
  }

  flush(): void {
    if (!this.flushScheduled && this.pending !== '') {
      this.flushScheduled = true;
      process.nextTick(this.write);
    }
  }

  finish(answer: Answer, reason: FinishReason, usage: TokenUsage): void {
    this.begin();
    // Call by call, since not every format can go back to an earlier one.
    this.heldToolCalls.sort((a, b) => a.index - b.index);
    this.releaseToolCalls();
    this.pending += this.frames.end(answer, reason, usage);
    const { onWhole } = this.options;
    if (onWhole) {
      this.handOver();
      onWhole(usage);
    } else {
      this.end();
    }
  }

  stopHeartbeats(): void {
    clearTimeout(this.timer);
  }

  drop(): void {
    this.response.destroy();
  }

  fail(error: GatewayError, ending: StreamFailure): void {
    if (ending === 'cut') {
      this.response.destroy();
      return;
    }
    this.pending += this.frames.error(error);
    if (ending === 'event') {
      this.end();
    } else {
      this.cutAfterEvent();
    }
  }

  /** Without the end of the chunked body, so that whoever overlooks the event still sees that the answer is not whole. */
  private cutAfterEvent(): void {
    const bytes = this.pending;
    this.pending = '';
    clearTimeout(this.timer);
    this.response.write(bytes, () => {
      // A client that sees data and end of the connection at once may throw away what it has not read.
      if (!this.response.destroyed) {
        this.timer = setTimeout(() => this.response.destroy(), READ_EVENT_MS);
      }
    });
  }

  private releaseToolCalls(): void {
    for (const delta of this.heldToolCalls) {
      this.pending += this.frames.toolCall(delta);
    }
    this.heldToolCalls = [];
  }

  /** Status line, headers and the first heartbeat; from here on there is no status code to fail with. */
  private commit(): void {
    if (this.isCommitted) {
      return;
    }
    const { contentType = EVENT_STREAM_HEADERS['Content-Type'] } = this.frames;
    this.response.writeHead(200, { ...EVENT_STREAM_HEADERS, 'Content-Type': contentType });
    this.pending += this.frames.heartbeat();
    clearTimeout(this.timer);
    this.timer = this.startTimer();
    cutStalledCaller(this.response, 2 * this.options.heartbeatIntervalMs);
  }

  /** The interval goes on where an earlier answer has begun the stream. */
  private startTimer(): NodeJS.Timeout {
    const { heartbeatAfterMs, heartbeatIntervalMs } = this.options;
    return setTimeout(() => this.heartbeat(), this.isCommitted ? heartbeatIntervalMs : heartbeatAfterMs);
  }

  private heartbeat(): void {
    // The end may not have reached the caller yet; and one may have left before there was an output to notice it.
    if (this.response.writableEnded || this.response.destroyed) {
      return;
    }
    if (!this.isCommitted) {
      this.commit();
    } else if (this.flow.isOpen) {
      this.pending += this.frames.heartbeat();
    }
    this.flush();
    this.timer.refresh();
  }

  private readonly write = (): void => {
    this.flushScheduled = false;
    if (this.pending === '' || this.response.destroyed) {
      return;
    }
    const bytes = this.pending;
    this.pending = '';
    this.timer.refresh();
    if (!this.response.write(bytes)) {
      this.flow.close();
    }
  };

  private readonly onDrain = (): void => this.flow.open();

  private readonly onClose = (): void => {
    clearTimeout(this.timer);
    this.flow.open();
  };

  /** Leaves the response to the output of the next answer. */
  private handOver(): void {
    const bytes = this.pending;
    this.pending = '';
    clearTimeout(this.timer);
    this.response.off('drain', this.onDrain).off('close', this.onClose);
    this.response.write(bytes);
  }

  private end(): void {
    const bytes = this.pending;
    this.pending = '';
    this.response.end(bytes);
  }
}
