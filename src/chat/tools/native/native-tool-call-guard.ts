import { type LogContent } from '../../../logs/records/log-content.js';
import { type RequestDetails } from '../../../logs/records/request-log-entry.js';
import { type Answer } from '../../completion/answer.js';
import { type Guard, type GuardHooks } from '../../completion/guard.js';
import { type DeltaSink } from '../../completion/stages/stage.js';
import { OfferedTools } from '../calls/offered-tools.js';
import { toolCallDetails } from '../calls/tool-call-details.js';
import { type ToolOffer } from '../contract/tool-offer.js';
import { NativeToolCallStage } from './native-tool-call.stage.js';

/** Checks the tool calls in the answers to one request, where the upstream makes them itself. */
export class NativeToolCallGuard implements Guard {
  readonly holdsBack = false;
  private readonly tools: OfferedTools;
  private current: NativeToolCallStage | undefined;

  /** @param nextId makes the id of a call to which the upstream gave none */
  constructor(
    private readonly offer: Pick<ToolOffer, 'definitions' | 'parallel'>,
    private readonly nextId: () => string,
  ) {
    this.tools = new OfferedTools(offer.definitions);
  }

  stage(next: DeltaSink, { end }: GuardHooks): NativeToolCallStage {
    this.current = new NativeToolCallStage(next, {
      tools: this.tools,
      isParallel: this.offer.parallel,
      nextId: this.nextId,
      end,
    });
    return this.current;
  }

  details(answer: Answer, mode: LogContent): RequestDetails {
    return toolCallDetails(answer, this.current?.report, mode);
  }
}
