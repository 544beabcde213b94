import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Settings } from '../common/config/settings.js';
import { DEFAULT_ERROR_FORMAT } from '../common/errors/error-format.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { AnswersErrorsAs } from '../common/http/answer/answers-errors-as.decorator.js';
import { answerId } from '../common/http/answer/request-id.js';
import { type JsonObject } from '../common/text/json-object.js';
import { Clock } from '../common/time/clock.js';
import { LoggedAs } from '../logs/logged-as.decorator.js';
import { ModelCatalog } from '../models/model-catalog.js';
import { BodyForms } from './body-forms.js';
import { ChatService } from './chat.service.js';
import { toChatCompletion } from './completion/output/chat-completion-body.js';
import { type ChoiceFormat } from './completion/output/choice-outputs.js';
import { ChunkFrames } from './completion/output/chunk-frames.js';
import { eachChoice } from './dto/choices.js';
import { toCompletionRequest, wantsUsage } from './dto/completion-request.factory.js';
import { CreateChatCompletionDto } from './dto/create-chat-completion.dto.js';
import { streamsByDefault } from './known-callers.js';

/** The Chat Completions format; bodies of other formats that are sent here by mistake are answered as well. */
@AnswersErrorsAs(DEFAULT_ERROR_FORMAT)
@NeedsRole('caller')
@Controller('v1/chat/completions')
export class ChatController {
  constructor(
    private readonly chat: ChatService,
    private readonly models: ModelCatalog,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly forms: BodyForms,
  ) {}

  @Post()
  @LoggedAs('completion')
  async create(
    @Body() body: CreateChatCompletionDto,
    @Req() http: Request,
    @Res() response: Response,
  ): Promise<void> {
    const findModel = await this.models.finder();
    const streamDefault = streamsByDefault(http.headers, this.settings);
    const raw = http.body as JsonObject;
    const request =
      this.forms.find(raw)?.toRequest(raw, findModel, this.settings, streamDefault) ??
      toCompletionRequest(body, findModel, this.settings, streamDefault);
    const includeUsage = wantsUsage(body);
    const identity = {
      id: answerId('chatcmpl-', http),
      created: this.clock.unixSeconds(),
      model: request.model.id,
    };
    const { customTools } = request;
    const formatOf: ChoiceFormat = (place) => ({
      frames: () => new ChunkFrames(identity, { includeUsage, customTools, place }),
      toBody: (...whole) => toChatCompletion(identity, { customTools, place }, ...whole),
    });
    return this.chat.answerEach(http, response, eachChoice(request, body.n), formatOf);
  }
}
