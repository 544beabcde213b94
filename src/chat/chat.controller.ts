import { randomUUID } from 'node:crypto';
import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Settings } from '../common/config/settings.js';
import { Clock } from '../common/time/clock.js';
import { LoggedAs } from '../logs/logged-as.decorator.js';
import { ModelCatalog } from '../models/model-catalog.js';
import { ChatService } from './chat.service.js';
import { toChatCompletion } from './completion/output/chat-completion-body.js';
import { ChunkFrames } from './completion/output/chunk-frames.js';
import { JsonOutput } from './completion/output/json-output.js';
import { StreamOutput } from './completion/output/stream-output.js';
import { toCompletionRequest, wantsUsage } from './dto/completion-request.factory.js';
import { CreateChatCompletionDto } from './dto/create-chat-completion.dto.js';
import { streamsByDefault } from './known-callers.js';

@Controller('v1/chat/completions')
export class ChatController {
  constructor(
    private readonly chat: ChatService,
    private readonly models: ModelCatalog,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  @Post()
  @LoggedAs('completion')
  async create(
    @Body() body: CreateChatCompletionDto,
    @Req() http: Request,
    @Res() response: Response,
  ): Promise<void> {
    const streamDefault = streamsByDefault(http.headers, this.settings);
    const request = toCompletionRequest(body, (id) => this.models.get(id), this.settings, streamDefault);
    const includeUsage = wantsUsage(body);
    const identity = {
      id: `chatcmpl-${randomUUID()}`,
      created: Math.floor(this.clock.now() / 1000),
      model: request.model.id,
    };
    const { HEARTBEAT_AFTER_MS: heartbeatAfterMs, HEARTBEAT_INTERVAL_MS: heartbeatIntervalMs } =
      this.settings;
    const output = request.stream
      ? new StreamOutput(response, new ChunkFrames(identity, { includeUsage }), {
          heartbeatAfterMs,
          heartbeatIntervalMs,
        })
      : new JsonOutput(response, (...whole) => toChatCompletion(identity, ...whole), { heartbeatIntervalMs });
    await this.chat.answer(http, response, request, output);
  }
}
