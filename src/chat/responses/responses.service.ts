import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Settings } from '../../common/config/settings.js';
import { Clock } from '../../common/time/clock.js';
import { ModelCatalog } from '../../models/model-catalog.js';
import { ChatService } from '../chat.service.js';
import { JsonOutput } from '../completion/output/json-output.js';
import { StreamOutput } from '../completion/output/stream-output.js';
import { type CreateResponseDto } from './dto/create-response.dto.js';
import { validateInput } from './dto/input-items.validator.js';
import { type ResponseRequest, toResponseRequest } from './dto/response-request.factory.js';
import { responseId } from './interfaces/response-ids.js';
import { toResponseBody } from './output/response-body.js';
import { ResponseEvents } from './output/response-events.js';

/** Sequences one response: input, answer, keeping. */
@Injectable()
export class ResponsesService {
  constructor(
    private readonly chat: ChatService,
    private readonly models: ModelCatalog,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** @throws GatewayError as long as nothing has been written */
  async create(dto: CreateResponseDto, http: Request, response: Response): Promise<void> {
    const input = validateInput(dto.input);
    const request = toResponseRequest(dto, (id) => this.models.get(id), [], input);
    const events = this.events(request);
    const { HEARTBEAT_AFTER_MS: heartbeatAfterMs, HEARTBEAT_INTERVAL_MS: heartbeatIntervalMs } =
      this.settings;
    const output = request.completion.stream
      ? new StreamOutput(response, events, { heartbeatAfterMs, heartbeatIntervalMs })
      : new JsonOutput(response, (...whole) => toResponseBody(events, ...whole), { heartbeatIntervalMs });
    await this.chat.answer(http, response, request.completion, output);
  }

  private events({ echo, origins, asSummary }: ResponseRequest): ResponseEvents {
    const id = responseId(randomUUID().replaceAll('-', ''));
    const createdAt = Math.floor(this.clock.now() / 1000);
    return new ResponseEvents({ identity: { id, createdAt, echo }, origins, asSummary });
  }
}
