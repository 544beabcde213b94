import { Injectable } from '@nestjs/common';
import { Tokenizer } from '../chat/completion/tokens/tokenizer.js';
import { CondensedResults } from '../chat/compression/condensed-results.js';
import { type CompletionDecisions, type DecisionDifference, differences } from '../chat/record/decisions.js';
import { type DecidingSettings, parseRecording } from '../chat/record/recorded-completion.js';
import { Settings } from '../common/config/settings.js';
import { GatewayError } from '../common/errors/gateway.errors.js';
import { Clock } from '../common/time/clock.js';
import { LogsService } from '../logs/logs.service.js';
import { UpstreamDriver } from '../upstream/upstream-driver.js';
import { rerun } from './rerun.js';

/** A run takes milliseconds, and seconds for an answer of megabytes. */
const LIMIT_MS = 30_000;

/** What was decided, and what this build decides. */
export interface RerunResult {
  readonly then: CompletionDecisions;
  readonly now: CompletionDecisions;
  readonly differences: readonly DecisionDifference[];
}

/** Recordings in the log of this gateway, and runs of them. */
@Injectable()
export class RerunService {
  constructor(
    private readonly logs: LogsService,
    private readonly settings: Settings,
    private readonly driver: UpstreamDriver,
    private readonly tokenizer: Tokenizer,
    private readonly condensedResults: CondensedResults,
    private readonly clock: Clock,
  ) {}

  /**
   * The recording of a request as JSON.
   * @throws GatewayError `not_found`, with who has it if that is known
   */
  async recording(id: string): Promise<string> {
    const json = await this.logs.recording(id);
    if (json === undefined) {
      throw new GatewayError('not_found', await this.whyNone(id));
    }
    return json;
  }

  /**
   * Runs a request again from its recording; the upstream is not asked, and nothing is logged.
   * @param changes in place of the settings that were in force
   * @param left ends the run, as 30 s do
   * @throws GatewayError as `recording`
   */
  async run(id: string, changes: DecidingSettings, left: AbortSignal): Promise<RerunResult> {
    const recorded = parseRecording(await this.recording(id));
    const signal = AbortSignal.any([left, AbortSignal.timeout(LIMIT_MS)]);
    const { settings, driver, tokenizer, condensedResults, clock } = this;
    const tools = { settings, driver, tokenizer, condensedResults, clock };
    const now = await rerun(recorded, tools, { settings: changes, signal });
    return { then: recorded.decisions, now, differences: differences(recorded.decisions, now) };
  }

  /** Recordings stay in the files of the gateways that have made them, while the log is that of all. */
  private async whyNone(id: string): Promise<string> {
    const { isRecorded = false, node } = (await this.logs.find(id))?.entry ?? {};
    return isRecorded && node !== undefined && node !== this.logs.node
      ? `Only the gateway '${node}' has what the upstream sent for this request: ask its own dashboard.`
      : 'What the upstream sent for this request is not kept.';
  }
}
