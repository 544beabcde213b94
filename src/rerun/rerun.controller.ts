import { Body, Controller, Get, Header, HttpCode, Param, Post, Res } from '@nestjs/common';
import { type Response } from 'express';
import { Tokenizer } from '../chat/completion/tokens/tokenizer.js';
import { CondensedResults } from '../chat/compression/condensed-results.js';
import { type CompletionDecisions, type DecisionDifference, differences } from '../chat/record/decisions.js';
import { parseRecording } from '../chat/record/recorded-completion.js';
import { Settings } from '../common/config/settings.js';
import { GatewayError } from '../common/errors/gateway.errors.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { Clock } from '../common/time/clock.js';
import { LogsService } from '../logs/logs.service.js';
import { UpstreamDriver } from '../upstream/upstream-driver.js';
import { RerunDto } from './dto/rerun.dto.js';
import { rerun } from './rerun.js';

/** A run takes milliseconds, and seconds for an answer of megabytes. */
const LIMIT_MS = 30_000;

interface RerunAnswer {
  readonly then: CompletionDecisions;
  readonly now: CompletionDecisions;
  readonly differences: readonly DecisionDifference[];
}

/** Recordings of what the upstream sent, and completions run again from them. */
@NeedsRole('operator')
@Controller('dashboard/api/requests/:id')
export class RerunController {
  constructor(
    private readonly logs: LogsService,
    private readonly settings: Settings,
    private readonly driver: UpstreamDriver,
    private readonly tokenizer: Tokenizer,
    private readonly condensedResults: CondensedResults,
    private readonly clock: Clock,
  ) {}

  /** The recording as a file for `npm run rerun`. */
  @Get('recording')
  @Header('Content-Type', 'application/json; charset=utf-8')
  async read(@Param('id') id: string): Promise<string> {
    const json = await this.logs.recording(id);
    if (json === undefined) {
      throw new GatewayError('not_found', await this.whyNone(id));
    }
    return json;
  }

  /** Runs the request again from its recording; the upstream is not asked, and nothing is logged. */
  @Post('rerun')
  @HttpCode(200)
  async run(
    @Param('id') id: string,
    @Body() { TOOL_MODE, TOOL_COMPRESSION, ECHO_ACTION }: RerunDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RerunAnswer> {
    const recorded = parseRecording(await this.read(id));
    const left = new AbortController();
    response.once('close', () => left.abort());
    const settings = {
      ...(TOOL_MODE && { TOOL_MODE }),
      ...(TOOL_COMPRESSION !== undefined && { TOOL_COMPRESSION }),
      ...(ECHO_ACTION && { ECHO_ACTION }),
    };
    const signal = AbortSignal.any([left.signal, AbortSignal.timeout(LIMIT_MS)]);
    const { settings: present, driver, tokenizer, condensedResults, clock } = this;
    const tools = { settings: present, driver, tokenizer, condensedResults, clock };
    const now = await rerun(recorded, tools, { settings, signal });
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
