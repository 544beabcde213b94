import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Settings } from '../common/config/settings.js';
import { type GatewayError } from '../common/errors/gateway.errors.js';
import { callerKeyOf } from '../common/http/access/caller-key.js';
import { ErrorFormats } from '../common/http/answer/error-formats.js';
import { claimRequestLog } from '../logs/request-log.middleware.js';
import { type CallerTraits, callerTraits } from './caller.js';
import { CompletionService } from './completion.service.js';
import { type CompletionOutput } from './completion/output/completion-output.js';
import { type CompletionRequest } from './interfaces/completion-request.js';
import { KeyAllowance } from './key-allowance.js';
import { streamFailureFor } from './known-callers.js';
import { IGNORED_FIELDS_HEADER, LEFT_OUT_TOOLS_HEADER, namesHeader } from './left-out.js';
import { type CallerConnection, RunningCompletions } from './running-completions.js';

/** Answers HTTP requests by completions, whatever the wire format of their endpoint. */
@Injectable()
export class ChatService {
  constructor(
    private readonly settings: Settings,
    private readonly completions: CompletionService,
    private readonly running: RunningCompletions,
    private readonly allowance: KeyAllowance,
    private readonly errorFormats: ErrorFormats,
  ) {}

  /**
   * Answers one HTTP request through `output`, whatever the wire format of its endpoint. Takes over the log entry,
   * and gives up when the caller leaves or the gateway stops.
   * @param connection its end means that the caller has left: the response, or a stand-in where the caller need not stay
   * @param changes traits of the caller in place of those that the request has
   * @throws GatewayError as long as nothing has been written
   */
  async answer(
    http: Request,
    connection: CallerConnection,
    request: CompletionRequest,
    output: CompletionOutput,
    changes: Partial<CallerTraits> = {},
  ): Promise<void> {
    const traits = { ...callerTraits(http, http.body), ...changes };
    const key = callerKeyOf(http);
    this.requireModel(http, request);
    const log = claimRequestLog(http);
    tellWhatIsMissing(request, http.res);
    const errorStatus = (error: GatewayError): number => this.errorFormats.of(http).status(error);
    const streamFailure = streamFailureFor(traits.habits, this.settings);
    const complete = (signal: AbortSignal): Promise<void> =>
      this.completions.complete(request, output, { ...traits, key, signal, log, errorStatus, streamFailure });
    return this.allowance.whileHeld(http.res, () => this.running.run(connection, complete, key?.name));
  }

  /** @throws GatewayError `permission_denied` if the caller's key is not for the model of the request */
  requireModel(http: Request, { model }: Pick<CompletionRequest, 'model'>): void {
    this.allowance.requireModel(callerKeyOf(http), model.id);
  }

  /**
   * Counts the tokens of a request's prompt, without answering it.
   * @throws GatewayError if it cannot be answered; the signal's reason if the caller leaves
   */
  async countInput(http: Request, response: Response, request: CompletionRequest): Promise<number> {
    const traits = callerTraits(http, http.body);
    this.requireModel(http, request);
    tellWhatIsMissing(request, response);
    return this.running.run(response, (signal) =>
      this.completions.countInput(request, { ...traits, signal }),
    );
  }
}

function tellWhatIsMissing(
  { leftOutTools = [], ignoredFields = [] }: CompletionRequest,
  response: Response | undefined,
): void {
  if (leftOutTools.length > 0) {
    response?.setHeader(LEFT_OUT_TOOLS_HEADER, namesHeader(leftOutTools));
  }
  if (ignoredFields.length > 0) {
    response?.setHeader(IGNORED_FIELDS_HEADER, namesHeader(ignoredFields));
  }
}
