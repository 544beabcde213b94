import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { ChatService } from '../chat/chat.service.js';
import { type CompletionRequest } from '../chat/interfaces/completion-request.js';
import { Settings } from '../common/config/settings.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { AnswersErrorsAs } from '../common/http/answer/answers-errors-as.decorator.js';
import { TakesAnyMediaType } from '../common/http/body/takes-any-media-type.decorator.js';
import { Clock } from '../common/time/clock.js';
import { LoggedAs } from '../logs/logged-as.decorator.js';
import { ModelCatalog } from '../models/model-catalog.js';
import { isLoading, OllamaChatDto, OllamaGenerateDto } from './dto/ollama-bodies.dto.js';
import { modelFinder, toOllamaChat, toOllamaGeneration } from './dto/ollama-request.factory.js';
import { OLLAMA_ERRORS } from './ollama-errors.js';
import { asMessage, asResponse, OllamaAnswer, type SayingForm } from './output/ollama-answer.js';
import { OllamaLines } from './output/ollama-lines.js';

/** The Ollama API, for clients that speak no other. */
@AnswersErrorsAs(OLLAMA_ERRORS)
@NeedsRole('caller')
@TakesAnyMediaType()
@Controller('api')
export class OllamaController {
  constructor(
    private readonly chat: ChatService,
    private readonly models: ModelCatalog,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  @Post('chat')
  @HttpCode(200)
  @LoggedAs('completion')
  async answerChat(
    @Body() body: OllamaChatDto,
    @Req() http: Request,
    @Res() response: Response,
  ): Promise<void> {
    const find = modelFinder(await this.models.finder());
    if (isLoading(body.messages)) {
      response.json(this.answerOf(find(body.model).id, asMessage).loaded(body.keep_alive));
      return;
    }
    return this.answer(http, response, toOllamaChat(body, find, this.settings), asMessage);
  }

  @Post('generate')
  @HttpCode(200)
  @LoggedAs('completion')
  async generate(
    @Body() body: OllamaGenerateDto,
    @Req() http: Request,
    @Res() response: Response,
  ): Promise<void> {
    const find = modelFinder(await this.models.finder());
    if (isLoading(body.prompt)) {
      response.json(this.answerOf(find(body.model).id, asResponse).loaded(body.keep_alive));
      return;
    }
    return this.answer(http, response, toOllamaGeneration(body, find, this.settings), asResponse);
  }

  private answer(
    http: Request,
    response: Response,
    request: CompletionRequest,
    form: SayingForm,
  ): Promise<void> {
    const answer = this.answerOf(request.model.id, form);
    const format = { frames: () => new OllamaLines(answer), toBody: answer.whole };
    return this.chat.answer(http, response, request, format);
  }

  private answerOf(model: string, form: SayingForm): OllamaAnswer {
    return new OllamaAnswer(model, form, this.clock);
  }
}
