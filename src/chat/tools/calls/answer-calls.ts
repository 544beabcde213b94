import { type ToolCallDelta } from '../../../upstream/upstream-driver.js';
import { type CallMode } from './call-mode.js';
import { type CallContext, type CallPlace, CallWriter } from './call-writer.js';
import { type CallableTool } from './callable-tool.js';
import { droppedCallsNote, type ToolCallReport } from './tool-call-report.js';

export interface AnswerCallsOptions {
  /** Whether the answer may hold more than one call; otherwise the others are dropped. */
  readonly isParallel: boolean;
  readonly nextId: () => string;
  /** Called right before the first output of a call, dropped calls included. */
  readonly onBegin: () => void;
  readonly emit: (delta: ToolCallDelta) => void;
}

/** The calls of one answer: numbers them, gives them ids and drops those above the limit. */
export class AnswerCalls implements CallContext {
  private readonly admitted: CallWriter[] = [];
  private readonly notes: string[] = [];
  private count = 0;
  private current: CallWriter | undefined;
  private dropped = 0;

  constructor(private readonly options: AnswerCallsOptions) {}

  /** Number of calls with a first piece of arguments, dropped calls included. */
  get total(): number {
    return this.count + this.dropped;
  }

  /** Whether the caller may have received a part of the open call. */
  get currentHasOutput(): boolean {
    return this.current?.hasOutput ?? false;
  }

  get report(): ToolCallReport {
    return {
      calls: this.admitted.flatMap(({ report }) => report ?? []),
      notes: [...this.notes, ...(this.dropped > 0 ? [droppedCallsNote(this.dropped)] : [])],
    };
  }

  /** Opens a call, which has no output yet. */
  open(tool: CallableTool, mode?: CallMode): CallWriter {
    this.current = new CallWriter(tool, this, mode);
    return this.current;
  }

  /** Closes the open call, whether it is complete or given up. */
  close(): void {
    this.current = undefined;
  }

  /** Adds a sentence to the report. */
  note(note: string): void {
    this.notes.push(note);
  }

  /** Emits the pending arguments of the open call. */
  flush(): void {
    this.current?.flush();
  }

  admit(writer: CallWriter): CallPlace | undefined {
    this.options.onBegin();
    if (this.count > 0 && !this.options.isParallel) {
      this.dropped++;
      return undefined;
    }
    this.admitted.push(writer);
    return { index: this.count++, id: this.options.nextId() };
  }

  emit(delta: ToolCallDelta): void {
    this.options.emit(delta);
  }
}
