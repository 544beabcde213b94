import { type ToolCallDelta } from '../../../upstream/upstream-driver.js';
import { type DeltaSink, type EndAnswer, Stage } from '../../completion/stages/stage.js';
import { type OfferedTools } from '../calls/offered-tools.js';
import { droppedCallsNote, type ToolCallReport } from '../calls/tool-call-report.js';
import { NativeCallRewriter } from './native-call-rewriter.js';

export interface NativeToolCallOptions {
  readonly tools: OfferedTools;
  /** Whether the answer may hold more than one call. */
  readonly isParallel: boolean;
  /** Makes the id of a call that the upstream sent without one. */
  readonly nextId: () => string;
  readonly end: EndAnswer;
}

/**
 * Checks the calls of an upstream that knows tools itself by the same rules as calls in text: arguments are coerced to
 * their schema, and their JSON is mended where nothing is lost. Strings are streamed. Arguments that cannot be mended
 * pass unchanged, because the caller knows best how to tell its model.
 */
export class NativeToolCallStage extends Stage {
  /** By index; undefined for a call that passes unchecked. */
  private readonly calls: (NativeCallRewriter | undefined)[] = [];
  private readonly notes: string[] = [];
  private dropped = 0;
  private isOver = false;

  constructor(
    next: DeltaSink,
    private readonly options: NativeToolCallOptions,
  ) {
    super(next);
  }

  /** The calls found so far. */
  get report(): ToolCallReport {
    return {
      calls: this.calls.flatMap((call) => call?.report ?? []),
      notes: [...this.notes, ...(this.dropped > 0 ? [droppedCallsNote(this.dropped)] : [])],
    };
  }

  override toolCall(delta: ToolCallDelta): void {
    const { index } = delta;
    const isNew = !(index in this.calls);
    if (this.isOver) {
      return;
    }
    if (index > 0 && !this.options.isParallel) {
      this.dropped += delta.name === undefined ? 0 : 1;
      return;
    }
    if (isNew) {
      this.calls[index] = this.open(delta);
    }
    const call = this.calls[index];
    if (call) {
      call.push(delta.arguments);
      this.endIfBroken(call);
    } else {
      this.next.toolCall(isNew && !delta.id ? { ...delta, id: this.options.nextId() } : delta);
    }
  }

  override flush(): void {
    for (const call of this.calls) {
      if (call && !this.isOver) {
        call.finish();
        this.endIfBroken(call);
      }
    }
  }

  /** @returns undefined for a call of an unknown tool */
  private open({ index, id, name = '' }: ToolCallDelta): NativeCallRewriter | undefined {
    const { tools, nextId } = this.options;
    const tool = tools.resolve(name);
    if (!tool) {
      this.notes.push(`The upstream called ${JSON.stringify(name)}, which is no tool of the request.`);
      return undefined;
    }
    const call = new NativeCallRewriter(tool, {
      index,
      id: id ?? nextId(),
      emit: (delta) => this.next.toolCall(delta),
      onProblem: (problem) => this.notes.push(problem),
    });
    if (name !== tool.name) {
      call.addRepair('name');
    }
    return call;
  }

  private endIfBroken({ isBroken }: NativeCallRewriter): void {
    if (isBroken) {
      this.isOver = true;
      this.options.end('length');
    }
  }
}
