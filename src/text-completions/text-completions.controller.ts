import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { ChatService } from '../chat/chat.service.js';
import { type ChoiceFormat } from '../chat/completion/output/choice-outputs.js';
import { Settings } from '../common/config/settings.js';
import { DEFAULT_ERROR_FORMAT } from '../common/errors/error-format.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { AnswersErrorsAs } from '../common/http/answer/answers-errors-as.decorator.js';
import { answerId } from '../common/http/answer/request-id.js';
import { Clock } from '../common/time/clock.js';
import { LoggedAs } from '../logs/logged-as.decorator.js';
import { ModelCatalog } from '../models/model-catalog.js';
import { CreateTextCompletionDto } from './create-text-completion.dto.js';
import { TextCompletionFrames, toTextCompletion } from './text-completion.js';
import { type TextCompletionRequest, toTextCompletionRequests } from './text-completion-request.factory.js';

/** The format before chat completions, for programs that speak no other. */
@AnswersErrorsAs(DEFAULT_ERROR_FORMAT)
@NeedsRole('caller')
@Controller('v1/completions')
export class TextCompletionsController {
  constructor(
    private readonly chat: ChatService,
    private readonly models: ModelCatalog,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  @Post()
  @LoggedAs('completion')
  async create(
    @Body() body: CreateTextCompletionDto,
    @Req() http: Request,
    @Res() response: Response,
  ): Promise<void> {
    const requests = toTextCompletionRequests(body, await this.models.finder(), this.settings);
    const [{ model, includeUsage }] = requests as [TextCompletionRequest];
    const identity = {
      id: answerId('cmpl-', http),
      created: this.clock.unixSeconds(),
      model: model.id,
    };
    const formatOf: ChoiceFormat = (place) => ({
      frames: () => new TextCompletionFrames(identity, includeUsage, place),
      toBody: (...whole) => toTextCompletion(identity, place, ...whole),
    });
    return this.chat.answerEach(http, response, requests, formatOf);
  }
}
