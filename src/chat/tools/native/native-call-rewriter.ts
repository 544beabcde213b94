import { type ToolCallDelta } from '../../../upstream/upstream-driver.js';
import { CallWriter } from '../calls/call-writer.js';
import { JsonArgumentsReader } from '../calls/json-arguments-reader.js';
import { type CallableTool } from '../calls/offered-tools.js';
import { type ReportedCall } from '../calls/tool-call-report.js';
import { LenientJsonReader } from '../json/lenient-json-reader.js';
import { IncrementalParse, Input, type Parsing } from '../text/input.js';
import { MalformedCallError, NotACallError } from '../text/parse-errors.js';

export interface NativeCallRewriterOptions {
  readonly index: number;
  readonly id: string;
  readonly emit: (delta: ToolCallDelta) => void;
  /** The arguments cannot be read. */
  readonly onProblem: (problem: string) => void;
}

/** One call of an upstream that knows tools: its arguments as they arrive, checked and written anew. */
export class NativeCallRewriter {
  private readonly input = new Input();
  private readonly writer: CallWriter;
  private readonly reading: IncrementalParse;
  /** The arguments as they came, as long as none of them went on. */
  private raw = '';
  /** `raw`: they go on as they come. `broken`: they cannot be read, and part of them is with the caller. */
  private state: 'reading' | 'read' | 'raw' | 'broken' = 'reading';

  constructor(
    private readonly tool: CallableTool,
    private readonly options: NativeCallRewriterOptions,
  ) {
    const { index, id, emit } = options;
    this.writer = new CallWriter(tool, { begin: () => ({ index, id }), emit });
    this.reading = new IncrementalParse(this.input, this.read());
  }

  get isBroken(): boolean {
    return this.state === 'broken';
  }

  get report(): ReportedCall {
    return this.writer.report ?? { id: this.options.id, name: this.tool.name, repairs: [] };
  }

  addRepair(repair: string): void {
    this.writer.addRepair(repair);
  }

  push(json: string): void {
    switch (this.state) {
      case 'raw':
        this.options.emit({ index: this.options.index, arguments: json });
        break;
      case 'reading':
        if (!this.writer.isOut) {
          this.raw += json;
        }
        this.input.push(json);
        this.advance();
        break;
      case 'read':
      case 'broken':
        if (json.trim() !== '') {
          this.addRepair('trailing_text');
        }
    }
  }

  /** The upstream is done. */
  finish(): void {
    if (this.state === 'reading') {
      this.input.end();
      this.advance();
    }
  }

  private advance(): void {
    try {
      this.reading.resume();
      this.writer.flush();
    } catch (error) {
      if (!(error instanceof MalformedCallError || error instanceof NotACallError)) {
        throw error;
      }
      this.fail(error.message);
    }
  }

  private fail(problem: string): void {
    const { index, id, emit, onProblem } = this.options;
    this.writer.flush();
    if (this.writer.isOut) {
      this.state = 'broken';
    } else {
      this.state = 'raw';
      emit({ index, id, name: this.tool.name, arguments: this.raw });
    }
    onProblem(problem);
  }

  private *read(): Parsing<void> {
    const { input } = this;
    const repair = (name: string): void => this.addRepair(name);
    const reader = new LenientJsonReader(input, repair);
    if ((yield* reader.next()) !== '') {
      yield* new JsonArgumentsReader(this.writer, repair, false).read(reader);
    }
    if (input.text.slice(input.at).trim() !== '') {
      this.addRepair('trailing_text');
    }
    this.state = 'read';
    this.writer.end();
  }
}
