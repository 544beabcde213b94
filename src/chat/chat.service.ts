import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Settings } from '../common/config/settings.js';
import { type GatewayError } from '../common/errors/gateway.errors.js';
import { ApiKeyAuthenticator } from '../common/http/access/api-key-authenticator.js';
import { callerKeyOf } from '../common/http/access/caller-key.js';
import { ErrorFormats } from '../common/http/answer/error-formats.js';
import { claimRequestLog } from '../logs/request-log.middleware.js';
import { type Caller, type CallerTraits, callerTraits } from './caller.js';
import { CompletionService } from './completion.service.js';
import { type ChoiceFormat, ChoiceOutputs } from './completion/output/choice-outputs.js';
import { ONLY_CHOICE } from './completion/output/choice-place.js';
import { type CompletionOutput } from './completion/output/completion-output.js';
import { type AnswerFormat, createOutput } from './completion/output/create-output.js';
import { type CompletionRequest } from './interfaces/completion-request.js';
import { KeyAllowance } from './key-allowance.js';
import { type CallerHabits, habitsOf, streamFailureFor } from './known-callers.js';
import { IGNORED_FIELDS_HEADER, namesHeader, OMITTED_TOOLS_HEADER } from './omissions.js';
import { type CallerConnection, RunningCompletions } from './running-completions.js';

/** An echo among several answers is asked for again at its place: the caller's retry would have all of them made again. */
const TAKES_ALL = { retriesUnanswered: false, isNeverDropped: true } as const satisfies Partial<CallerHabits>;

/** Answers HTTP requests by completions, whatever the wire format of their endpoint. */
@Injectable()
export class ChatService {
  constructor(
    private readonly settings: Settings,
    private readonly completions: CompletionService,
    private readonly running: RunningCompletions,
    private readonly allowance: KeyAllowance,
    private readonly authenticator: ApiKeyAuthenticator,
    private readonly errorFormats: ErrorFormats,
  ) {}

  /**
   * Answers one HTTP request in the wire format of its endpoint. Takes over the log entry, and gives up when the caller
   * leaves or the gateway stops.
   * @param changes traits of the caller in place of those that the request has
   * @throws GatewayError as long as nothing has been written
   */
  async answer(
    http: Request,
    response: Response,
    request: CompletionRequest,
    format: AnswerFormat,
    changes: Partial<CallerTraits> = {},
  ): Promise<void> {
    const output = createOutput(response, request, format, this.settings);
    return this.answerThrough(http, response, request, output, changes);
  }

  /**
   * The same through an output of the endpoint's own.
   * @param connection its end means that the caller has left: the response, or a stand-in where the caller need not stay
   */
  async answerThrough(
    http: Request,
    connection: CallerConnection,
    request: CompletionRequest,
    output: CompletionOutput,
    changes: Partial<CallerTraits>,
  ): Promise<void> {
    return this.run(http, connection, (signal) =>
      this.completions.complete(request, output, { ...this.claim(http, request, changes), signal }),
    );
  }

  /**
   * Answers one HTTP request by one completion or several. They are made one after the other, so that none takes more of the
   * gateway at once than any other; each has a log entry and a share of its key's tokens of its own. Nothing follows one that
   * failed.
   * @param requests one each, of the same model, at least one
   * @throws GatewayError as long as nothing has been written
   */
  async answerEach(
    http: Request,
    response: Response,
    requests: readonly CompletionRequest[],
    formatOf: ChoiceFormat,
  ): Promise<void> {
    const [first] = requests as [CompletionRequest];
    if (requests.length === 1) {
      return this.answer(http, response, first, formatOf(ONLY_CHOICE));
    }
    const wanted = { count: requests.length, stream: first.stream };
    const outputs = new ChoiceOutputs(response, wanted, formatOf, this.settings);
    const habits = { ...habitsOf(http.headers), ...TAKES_ALL };
    return this.run(http, response, async (signal) => {
      const caller = this.claim(http, first, { habits });
      for (const [index, request] of requests.entries()) {
        const log = index === 0 ? caller.log : caller.log.further(index + 1);
        await this.completions.complete(request, outputs.next(), { ...caller, signal, log });
        if (!outputs.areWhole) {
          return;
        }
      }
    });
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
    setOmissionHeaders(request, response);
    return this.running.run(response, (signal) =>
      this.completions.countInput(request, { ...traits, signal }),
    );
  }

  /** @param complete claims the log entry: that of a request which comes too late to be run ends with its response */
  private run(
    http: Request,
    connection: CallerConnection,
    complete: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const keyName = callerKeyOf(http)?.name;
    return this.allowance.whileHeld(http.res, () => this.running.run(connection, complete, keyName));
  }

  /**
   * The caller of a request, whose log entry is taken over.
   * @throws GatewayError if its key has ended meanwhile, or is not for the model
   */
  private claim(
    http: Request,
    request: CompletionRequest,
    changes: Partial<CallerTraits>,
  ): Omit<Caller, 'signal'> {
    const traits = { ...callerTraits(http, http.body), ...changes };
    // What the request refers to may have been waited for. From here on the end of a key ends its answers.
    this.authenticator.confirm(http);
    this.requireModel(http, request);
    const log = claimRequestLog(http);
    setOmissionHeaders(request, http.res);
    const errorStatus = (error: GatewayError): number => this.errorFormats.of(http).status(error);
    const streamFailure = streamFailureFor(traits.habits, this.settings);
    return { ...traits, key: callerKeyOf(http), log, errorStatus, streamFailure };
  }
}

function setOmissionHeaders(
  { unsupportedTools = [], ignoredFields = [] }: CompletionRequest,
  response: Response | undefined,
): void {
  if (unsupportedTools.length > 0) {
    response?.setHeader(OMITTED_TOOLS_HEADER, namesHeader(unsupportedTools));
  }
  if (ignoredFields.length > 0) {
    response?.setHeader(IGNORED_FIELDS_HEADER, namesHeader(ignoredFields));
  }
}
