import { type Answer } from '../../../src/chat/completion/answer.js';
import {
  type CompletionOutput,
  type StreamFailure,
} from '../../../src/chat/completion/output/completion-output.js';
import { type GatewayError } from '../../../src/common/errors/gateway.errors.js';
import { type LogContent } from '../../../src/logs/records/log-content.js';
import { type RequestDetails, type RequestOutcome } from '../../../src/logs/records/request-log-entry.js';
import { type NotedCompletion, type OpenRequestLog } from '../../../src/logs/request-log.js';
import { FlowValve } from '../../../src/upstream/flow-gate.js';
import {
  type FinishReason,
  type TokenUsage,
  type ToolCallDelta,
} from '../../../src/upstream/upstream-driver.js';

/** Records the calls of a completion to its output. */
export class OutputRecorder implements CompletionOutput {
  readonly flow = new FlowValve();
  readonly calls: unknown[][] = [];
  isCommitted = false;

  begin(): void {
    if (!this.isCommitted) {
      this.isCommitted = true;
      this.calls.push(['begin']);
    }
  }

  text(text: string): void {
    this.calls.push(['text', text]);
  }

  reasoning(text: string): void {
    this.calls.push(['reasoning', text]);
  }

  refusal(text: string): void {
    this.calls.push(['refusal', text]);
  }

  toolCall(delta: ToolCallDelta): void {
    this.calls.push(['toolCall', delta]);
  }

  flush(): void {
    this.calls.push(['flush']);
  }

  finish(answer: Answer, reason: FinishReason, usage: TokenUsage): void {
    this.calls.push(['finish', answer.text, reason, usage]);
  }

  stopHeartbeats(): void {
    this.calls.push(['stopHeartbeats']);
  }

  drop(): void {
    this.calls.push(['drop']);
  }

  fail(error: GatewayError, ending: StreamFailure): void {
    this.calls.push(['fail', error.code, error.message, ending]);
  }
}

/** Records the log entry of one request. */
export class LogRecorder implements OpenRequestLog {
  readonly id = 'req_1';
  keeps: LogContent = 'preview';
  isRecorded = false;
  recording: NotedCompletion | undefined;
  details: RequestDetails = {};
  readonly outcomes: RequestOutcome[] = [];

  elapsedMs(): number {
    return 0;
  }

  keepRecording(recording: NotedCompletion): void {
    this.recording = recording;
  }

  add(details: RequestDetails): void {
    this.details = { ...this.details, ...details };
  }

  finish(outcome: RequestOutcome, details: RequestDetails = {}): void {
    this.add(details);
    this.outcomes.push(outcome);
  }

  further(): OpenRequestLog {
    return this;
  }
}
