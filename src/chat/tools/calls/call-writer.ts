import { type ToolCallDelta } from '../../../upstream/upstream-driver.js';
import { type CallMode } from './call-mode.js';
import { type CallableTool } from './callable-tool.js';
import { type ReportedCall } from './tool-call-report.js';

/** Position and id of a call in its answer. */
export interface CallPlace {
  readonly index: number;
  readonly id: string;
}

/** The answer that a call belongs to. */
export interface CallContext {
  /** Admits a call right before its first output. @returns undefined to drop the call */
  admit(writer: CallWriter): CallPlace | undefined;
  emit(delta: ToolCallDelta): void;
}

/** Characters of arguments that a guessed call holds back: more than objects have that only look like calls. */
const MAX_HELD = 1024;

/**
 * Writes one call: id and name, then its arguments as one compact JSON object in pieces. There is no output before
 * the first piece of the arguments, so until then the text that is being read may still turn out to be no call. A
 * guessed call is held longer: until its end, or until it is too long to be anything else.
 */
export class CallWriter {
  private place: CallPlace | undefined;
  private wasAdmitted = false;
  private readonly keys = new Set<unknown>();
  private pending = '';
  private readonly repairs = new Set<string>();

  constructor(
    readonly tool: CallableTool,
    private readonly context: CallContext,
    private readonly mode: CallMode = 'declared',
  ) {}

  /** Whether the text may still turn out to be no call. */
  get isHeld(): boolean {
    return !this.wasAdmitted;
  }

  /** Whether the caller may have received any part of the call. */
  get hasOutput(): boolean {
    return this.place !== undefined;
  }

  /** Whether a required argument has not been written yet. */
  get lacksRequired(): boolean {
    return this.tool.required.some((key) => !this.keys.has(key));
  }

  /** Whether any argument has been written, or begun. */
  get hasKeys(): boolean {
    return this.keys.size > 0;
  }

  /** Whether this argument has been written, or begun. */
  hasKey(key: string): boolean {
    return this.keys.has(key);
  }

  addRepair(repair: string): void {
    this.repairs.add(repair);
  }

  addRepairs(repairs: Iterable<string>): void {
    for (const repair of repairs) {
      this.repairs.add(repair);
    }
  }

  /** Begins a member, whose value follows through `write`. */
  key(key: string): void {
    this.write((this.hasKeys ? ',' : '{') + JSON.stringify(key) + ':');
    this.keys.add(key);
  }

  write(json: string): void {
    this.pending += json;
    if (this.mode === 'declared' || this.pending.length > MAX_HELD) {
      this.release();
    }
  }

  /** Holds nothing back any more, if there is anything. */
  release(): void {
    if (!this.isHeld || this.pending === '') {
      return;
    }
    this.wasAdmitted = true;
    this.place = this.context.admit(this);
    if (this.place) {
      this.context.emit({ ...this.place, name: this.tool.name, arguments: '' });
    }
  }

  /** Completes the arguments. */
  end(): void {
    this.write(this.hasKeys ? '}' : '{}');
    this.release();
    this.flush();
  }

  /** Emits the arguments that were written since the last flush. */
  flush(): void {
    if (!this.isHeld && this.pending !== '') {
      if (this.place) {
        this.context.emit({ index: this.place.index, arguments: this.pending });
      }
      this.pending = '';
    }
  }

  /** Undefined for a call without output. */
  get report(): ReportedCall | undefined {
    return this.place && { id: this.place.id, name: this.tool.name, repairs: [...this.repairs] };
  }
}
