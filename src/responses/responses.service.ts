import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { ChatService } from '../chat/chat.service.js';
import { type AnswerFormat } from '../chat/completion/output/create-output.js';
import { isAbsent } from '../chat/dto/wire-values.js';
import { type CallerHabits, habitsOf } from '../chat/known-callers.js';
import { Settings } from '../common/config/settings.js';
import { InvalidRequestError } from '../common/errors/gateway.errors.js';
import { answerId } from '../common/http/answer/request-id.js';
import { BodyAdmission } from '../common/http/body/body-admission.js';
import { Clock } from '../common/time/clock.js';
import { ModelCatalog } from '../models/model-catalog.js';
import { BACKGROUND_HABITS, BackgroundRun } from './background/background-run.js';
import { BackgroundRuns } from './background/background-runs.js';
import { followEvents } from './background/event-follower.js';
import { Conversations } from './conversations.js';
import { COMPACTION_TRIGGER, saidByUser } from './dto/compaction.js';
import { type CreateResponseDto } from './dto/create-response.dto.js';
import { type InputItem, validateInput } from './dto/input-items.validator.js';
import { type ResponseRequest, toResponseRequest } from './dto/response-request.factory.js';
import { type ResponseObject } from './interfaces/response-object.js';
import { toCompactedResponse } from './output/compacted-response.js';
import { toResponseBody } from './output/response-body.js';
import { ResponseEvents, type ResponseEventsOptions } from './output/response-events.js';
import { responseReader } from './response-reader.js';
import { toKeptItems } from './store/kept-items.js';
import { responseOwner } from './store/response-owner.js';
import { type ResponseRecord } from './store/response-record.js';
import { ResponseStore } from './store/response-store.js';

/** A request with the items of its conversation. */
interface ReadRequest {
  readonly request: ResponseRequest;
  /** Of the responses before. */
  readonly previous: readonly InputItem[];
  readonly input: readonly InputItem[];
}

/** One request on its way to an answer. */
interface Creation {
  readonly request: ResponseRequest;
  readonly id: string;
  readonly owner: string;
  readonly isStored: boolean;
  /** Makes its stored form. */
  readonly toRecord: (response: ResponseObject, events?: string) => ResponseRecord;
}

/** Sequences the making of one response: what it refers to, the answer, what is kept of it. */
@Injectable()
export class ResponsesService {
  constructor(
    private readonly chat: ChatService,
    private readonly models: ModelCatalog,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly conversations: Conversations,
    private readonly store: ResponseStore,
    private readonly runs: BackgroundRuns,
    private readonly admission: BodyAdmission,
  ) {}

  /** @throws GatewayError as long as nothing has been written */
  async create(dto: CreateResponseDto, http: Request, response: Response): Promise<void> {
    const creation = await this.prepare(dto, http, response);
    if (dto.background) {
      await this.answerInBackground(creation, http, response);
    } else {
      await this.answerNow(creation, http, response);
    }
  }

  /**
   * Answers with what to send instead of a conversation: what its user said, and a summary by the model. It is not stored.
   * @throws GatewayError as long as nothing has been written
   */
  async compact(dto: CreateResponseDto, http: Request, response: Response): Promise<void> {
    refuseForCompaction(dto);
    const { request, previous, input } = await this.read(dto, http, response, [COMPACTION_TRIGGER]);
    const id = answerId('resp_', http);
    const events = this.events({ id, request }, { isSilent: true });
    const kept = toKeptItems(saidByUser([...previous, ...input]), id);
    const format: AnswerFormat = {
      frames: () => events,
      toBody: (...answered) => toCompactedResponse(toResponseBody(events, ...answered), kept),
    };
    await this.chat.answer(http, response, request.completion, format);
  }

  /** See `ChatService.countInput`. */
  async countInput(dto: CreateResponseDto, http: Request, response: Response): Promise<number> {
    const { request } = await this.read(dto, http, response);
    return this.chat.countInput(http, response, request.completion);
  }

  /**
   * The request with what it refers to, and its own items.
   * @param added items behind its own
   */
  private async read(
    dto: CreateResponseDto,
    http: Request,
    response: Response,
    added: readonly InputItem[] = [],
  ): Promise<ReadRequest> {
    // A previous response may be continued without further input.
    const isEmpty = isAbsent(dto.input) || (Array.isArray(dto.input) && dto.input.length === 0);
    const given = dto.previous_response_id && isEmpty ? [] : validateInput(dto.input);
    const reader = responseReader(this.admission, http, response);
    const input = [...(await this.conversations.resolved(given, reader)), ...added];
    const previous = await this.conversations.before(dto.previous_response_id, reader);
    const findModel = await this.models.finder();
    const request = toResponseRequest(dto, findModel, this.settings, previous, input);
    return { request, previous, input };
  }

  private async prepare(dto: CreateResponseDto, http: Request, response: Response): Promise<Creation> {
    const isStored = this.isStored(dto);
    const owner = responseOwner(http);
    const { request, input } = await this.read(dto, http, response);
    const id = answerId('resp_', http);
    return {
      request: { ...request, repeated: { ...request.repeated, store: isStored } },
      id,
      owner,
      isStored,
      toRecord: this.recorder(id, owner, input, dto.previous_response_id ?? null),
    };
  }

  /** @throws InvalidRequestError for a response in the background that would not be stored */
  private isStored({ store, background }: CreateResponseDto): boolean {
    const isStored = (store ?? true) && this.store.isOn;
    if (background && !isStored) {
      const reason = this.store.isOn ? 'needs store to be true' : 'is off, since RESPONSE_MAX_BYTES is 0';
      throw new InvalidRequestError(`background ${reason}.`, 'background');
    }
    return isStored;
  }

  private recorder(
    id: string,
    owner: string,
    items: readonly InputItem[],
    previous: string | null,
  ): Creation['toRecord'] {
    const createdAt = this.clock.now();
    return (response, events) => ({
      id,
      owner,
      createdAt,
      previous,
      status: response.status,
      body: JSON.stringify(response),
      input: JSON.stringify(toKeptItems(items, id)),
      events: events ?? null,
    });
  }

  private async answerNow(creation: Creation, http: Request, response: Response): Promise<void> {
    const { request, isStored, toRecord } = creation;
    const onEnd = (ended: ResponseObject): void => {
      if (isStored) {
        // A caller that has its answer need not know that it was not kept; the operator does.
        void this.store.put(toRecord(ended)).catch(() => undefined);
      }
    };
    const events = this.events(creation, { onEnd, isSilent: !request.completion.stream });
    const format: AnswerFormat = {
      frames: () => events,
      toBody: (...whole) => toResponseBody(events, ...whole),
    };
    // `response.failed` is the format's own end of a failed stream, and its clients act on the code in it.
    const habits: CallerHabits = { ...habitsOf(http.headers), streamFailure: 'event' };
    return this.chat.answer(http, response, request.completion, format, { habits });
  }

  private async answerInBackground(creation: Creation, http: Request, response: Response): Promise<void> {
    const { request, owner, toRecord } = creation;
    this.chat.requireModel(http, request.completion);
    const run = new BackgroundRun(owner, this.events(creation));
    const queued = run.response;
    // The body of the request stays in memory until its response is complete.
    const release = this.admission.keep(response);
    try {
      await this.store.put(toRecord(queued, run.log.text));
    } catch (error) {
      release();
      throw error;
    }
    void run.start(
      () =>
        this.chat.answerThrough(http, run.connection, request.completion, run.output, {
          habits: BACKGROUND_HABITS,
        }),
      () => this.store.put(toRecord(run.response, run.log.text)),
    );
    this.runs.add(run);
    void run.stored.then(release);
    if (request.completion.stream) {
      followEvents(response, { log: run.log, from: 0 }, this.settings.HEARTBEAT_INTERVAL_MS);
    } else {
      response.json(queued);
    }
  }

  private events(
    { id, request: { repeated, origins, reasoning, isSummary, isPrewarm } }: Pick<Creation, 'id' | 'request'>,
    options: Pick<ResponseEventsOptions, 'onEnd' | 'isSilent'> = {},
  ): ResponseEvents {
    const now = (): number => this.clock.unixSeconds();
    return new ResponseEvents({
      identity: { id, createdAt: now(), now, repeated },
      origins,
      isSummary,
      isPrewarm,
      ...reasoning,
      ...options,
    });
  }
}

/** The answer is one body, and what is not stored could not be fetched later. */
function refuseForCompaction(dto: CreateResponseDto): void {
  const field = (['background', 'stream'] as const).find((name) => dto[name]);
  if (field !== undefined) {
    throw new InvalidRequestError(`${field} is not supported for a compaction.`, field);
  }
}
