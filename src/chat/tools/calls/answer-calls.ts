import { type ToolCallDelta } from '../../../upstream/upstream-driver.js';
import { type CallContext, CallWriter } from './call-writer.js';
import { type CallableTool } from './offered-tools.js';
import { type ToolCallReport } from './tool-call-report.js';

export interface AnswerCallsOptions {
  /** Whether more than one call is let through. */
  readonly isParallel: boolean;
  readonly nextId: () => string;
  /** Called right before the first piece of a call is let through, or dropped. */
  readonly onBegin: () => void;
  readonly emit: (delta: ToolCallDelta) => void;
}

/** The calls of one answer: gives them their places and ids, and drops those that are too many. */
export class AnswerCalls implements CallContext {
  private readonly begun: CallWriter[] = [];
  private readonly notes: string[] = [];
  private count = 0;
  private current: CallWriter | undefined;
  private dropped = 0;

  constructor(private readonly options: AnswerCallsOptions) {}

  /** How many calls have begun, dropped ones included. */
  get total(): number {
    return this.count + this.dropped;
  }

  /** Whether the call that is being written has begun to go out. */
  get isCurrentOut(): boolean {
    return this.current?.isOut ?? false;
  }

  get report(): ToolCallReport {
    const dropped =
      this.dropped > 0 ? [`Dropped ${this.dropped} more: only one call at a time was asked for.`] : [];
    return {
      calls: this.begun.flatMap(({ report }) => report ?? []),
      notes: [...this.notes, ...dropped],
    };
  }

  open(tool: CallableTool): CallWriter {
    this.current = new CallWriter(tool, this);
    return this.current;
  }

  /** The call is complete, or given up. */
  close(): void {
    this.current = undefined;
  }

  note(note: string): void {
    this.notes.push(note);
  }

  flush(): void {
    this.current?.flush();
  }

  begin(writer: CallWriter): { index: number; id: string } | undefined {
    this.options.onBegin();
    if (this.count > 0 && !this.options.isParallel) {
      this.dropped++;
      return undefined;
    }
    this.begun.push(writer);
    return { index: this.count++, id: this.options.nextId() };
  }

  emit(delta: ToolCallDelta): void {
    this.options.emit(delta);
  }
}
