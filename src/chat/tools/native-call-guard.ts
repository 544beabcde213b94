import { type GuardFactory } from '../completion/guard.js';
import { type ToolDefinition } from '../interfaces/tool-definition.js';
import { NativeToolCallStage } from './native-tool-call.stage.js';
import { OfferedTools } from './offered-tools.js';
import { type ToolCallReport } from './tool-call-report.js';

/** Checks the calls in the answers of an upstream that knows tools itself. */
export class NativeCallGuard {
  /** The upstream itself sees to a call that is demanded. */
  readonly isRequired = false;
  private readonly tools: OfferedTools;
  private current: NativeToolCallStage | undefined;

  /** @param nextId makes the id of a call to which the upstream gives none */
  constructor(
    definitions: readonly ToolDefinition[],
    private readonly isParallel: boolean,
    private readonly nextId: () => string,
  ) {
    this.tools = new OfferedTools(definitions);
  }

  /** What was found in the last answer. */
  get report(): ToolCallReport {
    return this.current?.report ?? { calls: [], notes: [] };
  }

  readonly stage: GuardFactory = (next, { end }) =>
    (this.current = new NativeToolCallStage(next, {
      tools: this.tools,
      isParallel: this.isParallel,
      nextId: this.nextId,
      end,
    }));
}
