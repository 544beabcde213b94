import { type Answer } from '../../chat/completion/answer.js';
import { type CompletionOutput } from '../../chat/completion/output/completion-output.js';
import { type GatewayError, InternalError } from '../../common/errors/gateway.errors.js';
import { FlowValve } from '../../upstream/flow-gate.js';
import { type FinishReason, type TokenUsage, type ToolCallDelta } from '../../upstream/upstream-driver.js';
import { type ResponseEvents } from '../output/response-events.js';
import { type EventLog } from './event-log.js';

/** Keeps the events of an answer for whoever reads them, now or later. Never slower than the upstream. */
export class BackgroundOutput implements CompletionOutput {
  readonly flow = new FlowValve();
  private hasBegun = false;

  constructor(
    private readonly events: ResponseEvents,
    private readonly log: EventLog,
  ) {}

  /** Readers have seen no part of an answer until it has begun, so that it may still be given up. */
  get isCommitted(): boolean {
    return this.hasBegun;
  }

  begin(): void {
    if (!this.hasBegun) {
      this.hasBegun = true;
      this.log.append(this.events.begin());
    }
  }

  text(text: string): void {
    this.log.append(this.events.text(text));
  }

  reasoning(text: string): void {
    this.log.append(this.events.reasoning(text));
  }

  refusal(text: string): void {
    this.log.append(this.events.refusal(text));
  }

  toolCall(delta: ToolCallDelta): void {
    this.log.append(this.events.toolCall(delta));
  }

  flush(): void {
    // Readers are told of each event.
  }

  finish(answer: Answer, reason: FinishReason, usage: TokenUsage): void {
    this.begin();
    this.log.append(this.events.end(answer, reason, usage));
    this.log.end();
  }

  stopHeartbeats(): void {
    // Whoever reads the events sends them.
  }

  drop(): void {
    this.fail(new InternalError('answer_echoed', 'the answer was given up.'));
  }

  fail(error: GatewayError): void {
    this.log.append(this.events.error(error));
    this.log.end();
  }
}
