import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { ChatService } from '../chat/chat.service.js';
import { type AnswerFormat } from '../chat/completion/output/create-output.js';
import { TellsLimitsAs } from '../common/http/access/limit-decorators.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { AnswersErrorsAs } from '../common/http/answer/answers-errors-as.decorator.js';
import { answerId, requestId } from '../common/http/answer/request-id.js';
import { LoggedAs } from '../logs/logged-as.decorator.js';
import { ModelCatalog } from '../models/model-catalog.js';
import { CountTokensDto, CreateMessageDto } from './dto/create-message.dto.js';
import { omitsThinking, toCountRequest, toMessageRequest } from './dto/message-request.factory.js';
import { MESSAGE_ERRORS } from './message-errors.js';
import { MESSAGE_LIMITS } from './message-limits.js';
import { toMessage } from './output/message-body.js';
import { MessageFrames } from './output/message-frames.js';

/** The Messages format, for clients that speak no other. */
@AnswersErrorsAs(MESSAGE_ERRORS)
@TellsLimitsAs(MESSAGE_LIMITS)
@NeedsRole('caller')
@Controller('v1/messages')
export class MessagesController {
  constructor(
    private readonly chat: ChatService,
    private readonly models: ModelCatalog,
  ) {}

  @Post()
  @LoggedAs('completion')
  async create(
    @Body() body: CreateMessageDto,
    @Req() http: Request,
    @Res() response: Response,
  ): Promise<void> {
    const id = requestId(http);
    response.setHeader('request-id', id);
    const request = toMessageRequest(body, await this.models.finder());
    const identity = { id: answerId('msg_', http), model: request.model.id };
    const options = { omitsThinking: omitsThinking(body) };
    const format: AnswerFormat = {
      frames: () => new MessageFrames(identity, options, id),
      toBody: (...whole) => toMessage(identity, options, ...whole),
    };
    return this.chat.answer(http, response, request, format);
  }

  @Post('count_tokens')
  @HttpCode(200)
  async countTokens(
    @Body() body: CountTokensDto,
    @Req() http: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<{ input_tokens: number }> {
    response.setHeader('request-id', requestId(http));
    const request = toCountRequest(body, await this.models.finder());
    return { input_tokens: await this.chat.countInput(http, response, request) };
  }
}
