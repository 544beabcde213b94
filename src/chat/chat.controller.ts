import { randomUUID } from 'node:crypto';
import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Settings } from '../common/config/settings.js';
import { Clock } from '../common/time/clock.js';
import { claimRequestLog } from '../logs/request-log.middleware.js';
import { callerTraits } from './caller.js';
import { ChatService } from './chat.service.js';
import { JsonOutput } from './completion/output/json-output.js';
import { SseOutput } from './completion/output/sse-output.js';
import { CreateChatCompletionDto } from './dto/create-chat-completion.dto.js';
import { RunningCompletions } from './running-completions.service.js';

@Controller('v1/chat/completions')
export class ChatController {
  constructor(
    private readonly chat: ChatService,
    private readonly running: RunningCompletions,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  @Post()
  async create(
    @Body() body: CreateChatCompletionDto,
    @Req() httpRequest: Request,
    @Res() response: Response,
  ): Promise<void> {
    const request = this.chat.prepare(body);
    const traits = callerTraits(httpRequest, body);
    const identity = {
      id: `chatcmpl-${randomUUID()}`,
      created: Math.floor(this.clock.now() / 1000),
      model: request.model.id,
    };
    const log = claimRequestLog(httpRequest);
    const output = request.stream
      ? new SseOutput(response, identity, {
          includeUsage: request.includeUsage,
          heartbeatAfterMs: this.settings.HEARTBEAT_AFTER_MS,
          heartbeatIntervalMs: this.settings.HEARTBEAT_INTERVAL_MS,
        })
      : new JsonOutput(response, identity, { heartbeatIntervalMs: this.settings.HEARTBEAT_INTERVAL_MS });
    await this.running.run(response, (signal) =>
      this.chat.complete(request, output, { ...traits, signal, log }),
    );
  }
}
