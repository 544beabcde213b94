import { type ToolCallDelta } from '../../../upstream/upstream-driver.js';
import { type CallableTool } from './offered-tools.js';
import { type ReportedCall } from './tool-call-report.js';

/** What the calls of one answer have in common. */
export interface CallContext {
  /** A call has something to show: from here on it is no text. @returns its place and id, or undefined to drop it */
  begin(writer: CallWriter): { readonly index: number; readonly id: string } | undefined;
  emit(delta: ToolCallDelta): void;
}

/**
 * Writes one call: its id and name, then its arguments as one compact JSON object, piece by piece. Nothing is
 * written before there is a piece of the arguments, so that until then what is read may still turn out to be text.
 */
export class CallWriter {
  private place: { readonly index: number; readonly id: string } | undefined;
  private hasBegun = false;
  private readonly keys = new Set<unknown>();
  private pending = '';
  private readonly repairs = new Set<string>();

  constructor(
    readonly tool: CallableTool,
    private readonly context: CallContext,
  ) {}

  /** Whether anything of it may have reached the caller. */
  get isOut(): boolean {
    return this.place !== undefined;
  }

  /** Whether an argument is missing that the tool demands. */
  get isLacking(): boolean {
    return this.tool.required.some((key) => !this.keys.has(key));
  }

  addRepair(repair: string): void {
    this.repairs.add(repair);
  }

  addRepairs(repairs: Iterable<string>): void {
    for (const repair of repairs) {
      this.repairs.add(repair);
    }
  }

  /** Begins a member; its value follows by `write`. */
  key(key: string): void {
    this.write((this.keys.size > 0 ? ',' : '{') + JSON.stringify(key) + ':');
    this.keys.add(key);
  }

  write(json: string): void {
    if (!this.hasBegun) {
      this.hasBegun = true;
      this.place = this.context.begin(this);
      if (this.place) {
        this.context.emit({ ...this.place, name: this.tool.name, arguments: '' });
      }
    }
    this.pending += json;
  }

  /** The arguments are complete. */
  end(): void {
    this.write(this.keys.size > 0 ? '}' : '{}');
    this.flush();
  }

  /** Hands on what was written since the last time. */
  flush(): void {
    if (this.pending !== '') {
      if (this.place) {
        this.context.emit({ index: this.place.index, arguments: this.pending });
      }
      this.pending = '';
    }
  }

  /** For the log; undefined for a call that was dropped. */
  get report(): ReportedCall | undefined {
    return this.place && { id: this.place.id, name: this.tool.name, repairs: [...this.repairs] };
  }
}
