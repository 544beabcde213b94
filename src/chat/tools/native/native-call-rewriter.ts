import { type ToolCallDelta } from '../../../upstream/upstream-driver.js';
import { CallWriter } from '../calls/call-writer.js';
import { type CallableTool } from '../calls/callable-tool.js';
import { JsonArgumentsReader } from '../calls/json-arguments-reader.js';
import { type ReportedCall } from '../calls/tool-call-report.js';
import { LenientJsonReader } from '../json/lenient-json-reader.js';
import { IncrementalParse } from '../text/incremental-parse.js';
import { Input, type Parsing } from '../text/input.js';
import { ParseError } from '../text/parse-errors.js';

export interface NativeCallRewriterOptions {
  readonly index: number;
  readonly id: string;
  readonly emit: (delta: ToolCallDelta) => void;
  /** Called once if the arguments cannot be read. @param problem one sentence */
  readonly onProblem: (problem: string) => void;
}

/** Checks and rewrites the arguments of one call, while they arrive from an upstream that knows tools itself. */
export class NativeCallRewriter {
  private readonly input = new Input();
  private readonly writer: CallWriter;
  private readonly parse: IncrementalParse;
  /** The arguments received so far, until the first output. */
  private raw = '';
  /** `raw`: they are unreadable and pass unchanged. `broken`: they are unreadable after a part was already sent. */
  private state: 'reading' | 'read' | 'raw' | 'broken' = 'reading';

  constructor(
    private readonly tool: CallableTool,
    private readonly options: NativeCallRewriterOptions,
  ) {
    const { index, id, emit } = options;
    this.writer = new CallWriter(tool, { admit: () => ({ index, id }), emit });
    this.parse = new IncrementalParse(this.input, this.read());
  }

  /** Whether the arguments that the caller has end in the middle. */
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
        if (!this.writer.hasOutput) {
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

  /** Completes the call at the end of the answer. */
  finish(): void {
    if (this.state === 'reading') {
      this.input.end();
      this.advance();
    }
  }

  private advance(): void {
    try {
      this.parse.resume();
      this.writer.flush();
    } catch (error) {
      if (!(error instanceof ParseError)) {
        throw error;
      }
      this.fail(error.message);
    }
  }

  private fail(problem: string): void {
    const { index, id, emit, onProblem } = this.options;
    this.writer.flush();
    if (this.writer.hasOutput) {
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
      yield* new JsonArgumentsReader(this.writer, repair).read(reader);
    }
    if (input.text.slice(input.at).trim() !== '') {
      this.addRepair('trailing_text');
    }
    this.state = 'read';
    this.writer.end();
  }
}
