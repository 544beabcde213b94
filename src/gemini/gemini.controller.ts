import { Body, Controller, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { ChatService } from '../chat/chat.service.js';
import { type AnswerFormat } from '../chat/completion/output/create-output.js';
import { habitsOf } from '../chat/known-callers.js';
import { refuseLoneSearch } from '../chat/omissions.js';
import { Settings } from '../common/config/settings.js';
import { GatewayError } from '../common/errors/gateway.errors.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { AnswersErrorsAs } from '../common/http/answer/answers-errors-as.decorator.js';
import { answerId } from '../common/http/answer/request-id.js';
import { type JsonObject } from '../common/text/json-object.js';
import { LoggedAs } from '../logs/logged-as.decorator.js';
import { ModelCatalog } from '../models/model-catalog.js';
import { CountContentDto, GenerateContentDto } from './dto/gemini-bodies.dto.js';
import { type GeminiRequest, toGeminiRequest } from './dto/gemini-request.factory.js';
import { LOOKS_UP } from './dto/gemini-tools.js';
import { inCamelCase, membersOf } from './dto/wire-objects.js';
import { GEMINI_ERRORS } from './gemini-errors.js';
import { GeminiAnswer } from './output/gemini-answer.js';
import { GeminiArrayFrames, GeminiFrames } from './output/gemini-frames.js';

/** A name of a model, in whose place a path may have several segments. */
type ModelParam = string | readonly string[];

/** The Gemini API, for clients that speak no other. */
@AnswersErrorsAs(GEMINI_ERRORS)
@NeedsRole('caller')
@Controller()
export class GeminiController {
  constructor(
    private readonly chat: ChatService,
    private readonly models: ModelCatalog,
    private readonly settings: Settings,
  ) {}

  @Post(pathsOf('generateContent'))
  @LoggedAs('completion')
  async generate(
    @Param('model') model: ModelParam,
    @Body() body: GenerateContentDto,
    @Req() http: Request,
    @Res() response: Response,
  ): Promise<void> {
    const request = await this.read(body, model, false);
    return this.answer(http, response, request, GeminiFrames);
  }

  @Post(pathsOf('streamGenerateContent'))
  @LoggedAs('completion')
  async generateStream(
    @Param('model') model: ModelParam,
    @Query('alt') alt: unknown,
    @Body() body: GenerateContentDto,
    @Req() http: Request,
    @Res() response: Response,
  ): Promise<void> {
    const request = await this.read(body, model, true);
    return this.answer(http, response, request, alt === 'sse' ? GeminiFrames : GeminiArrayFrames);
  }

  @Post(pathsOf('countTokens'))
  @HttpCode(200)
  async countTokens(
    @Param('model') model: ModelParam,
    @Body() body: CountContentDto,
    @Req() http: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<{ readonly totalTokens: number }> {
    const { generateContentRequest: whole, ...bare } = inCamelCase({ ...body });
    const request = await this.read(whole ? membersOf(whole, 'generateContentRequest') : bare, model, false);
    return { totalTokens: await this.chat.countInput(http, response, request) };
  }

  /** Other methods of the API, whose clients would else read that the path takes GET alone. */
  @Post('v1beta/models/*call')
  refuse(): never {
    throw new GatewayError(
      'not_found',
      'Models have the methods generateContent, streamGenerateContent and countTokens here: this gateway serves chats alone.',
    );
  }

  private async read(
    body: GenerateContentDto | JsonObject,
    model: ModelParam,
    stream: boolean,
  ): Promise<GeminiRequest> {
    const call = { model: [model].flat().join('/'), stream };
    return toGeminiRequest(body, call, await this.models.finder(), this.settings);
  }

  private answer(
    http: Request,
    response: Response,
    request: GeminiRequest,
    frames: typeof GeminiFrames,
  ): Promise<void> {
    refuseLoneSearch(request, LOOKS_UP);
    const identity = { modelVersion: request.model.id, responseId: answerId('', http) };
    const answer = new GeminiAnswer(identity, request.includesThoughts);
    const format: AnswerFormat = { frames: () => new frames(answer), toBody: answer.whole };
    const habits = habitsOf(http.headers);
    // Not every client sees the error within a stream of this format, so that the connection breaks as well.
    const streamFailure = habits.streamFailure === 'event' ? 'event_and_cut' : habits.streamFailure;
    return this.chat.answer(http, response, request, format, { habits: { ...habits, streamFailure } });
  }
}

/** Paths of a method of models, whose names may have slashes, in both versions of the API: the one is within the other. */
function pathsOf(method: string): string[] {
  return ['v1beta', 'v1'].flatMap((version) =>
    [':model', '*model'].map((model) => `${version}/models/${model}\\:${method}`),
  );
}
