import { type GuardFactory } from '../../completion/guard.js';
import { OfferedTools } from '../calls/offered-tools.js';
import { type ToolCallReport } from '../calls/tool-call-report.js';
import { type ToolOffer } from '../contract/tool-offer.js';
import { NativeToolCallStage } from './native-tool-call.stage.js';

/** Checks the tool calls in the answers to one request, where the upstream makes them itself. */
export class NativeToolCallGuard {
  private readonly tools: OfferedTools;
  private current: NativeToolCallStage | undefined;

  /** @param nextId makes the id of a call to which the upstream gave none */
  constructor(
    private readonly offer: Pick<ToolOffer, 'definitions' | 'parallel'>,
    private readonly nextId: () => string,
  ) {
    this.tools = new OfferedTools(offer.definitions);
  }

  /** What was found in the last answer. */
  get report(): ToolCallReport {
    return this.current?.report ?? { calls: [], notes: [] };
  }

  readonly stage: GuardFactory = (next, { end }) =>
    (this.current = new NativeToolCallStage(next, {
      tools: this.tools,
      isParallel: this.offer.parallel,
      nextId: this.nextId,
      end,
    }));
}
