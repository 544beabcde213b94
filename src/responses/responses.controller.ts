import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Settings } from '../common/config/settings.js';
import { NotCounted } from '../common/http/access/limit-decorators.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { AnswersErrorsAs } from '../common/http/answer/answers-errors-as.decorator.js';
import { BodyAdmission } from '../common/http/body/body-admission.js';
import { LoggedAs } from '../logs/logged-as.decorator.js';
import { followEvents } from './background/event-follower.js';
import { CreateResponseDto } from './dto/create-response.dto.js';
import { ListInputItemsDto } from './dto/list-input-items.dto.js';
import { RetrieveResponseDto } from './dto/retrieve-response.dto.js';
import { responseReader } from './response-reader.js';
import { ResponsesService } from './responses.service.js';
import { RESPONSES_ERRORS } from './responses-error-format.js';
import { type InputPage, inputPage } from './store/input-page.js';
import { responseOwner } from './store/response-owner.js';
import { StoredResponsesService } from './stored-responses.service.js';

/** The Responses format, with the responses that were stored. */
@AnswersErrorsAs(RESPONSES_ERRORS)
@NeedsRole('caller')
@Controller('v1/responses')
export class ResponsesController {
  constructor(
    private readonly responses: ResponsesService,
    private readonly stored: StoredResponsesService,
    private readonly settings: Settings,
    private readonly admission: BodyAdmission,
  ) {}

  @Post()
  @HttpCode(200)
  @LoggedAs('completion')
  async create(
    @Body() body: CreateResponseDto,
    @Req() http: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.responses.create(body, http, response);
  }

  @Post('input_tokens')
  @HttpCode(200)
  async countTokens(
    @Body() body: CreateResponseDto,
    @Req() http: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<{ readonly object: 'response.input_tokens'; readonly input_tokens: number }> {
    const tokens = await this.responses.countInput(body, http, response);
    return { object: 'response.input_tokens', input_tokens: tokens };
  }

  /** Sums a conversation up: what its user said, and an item with a summary by the model, to be sent in its place. */
  @Post('compact')
  @HttpCode(200)
  @LoggedAs('completion')
  async compact(
    @Body() body: CreateResponseDto,
    @Req() http: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.responses.compact(body, http, response);
  }

  @Get(':id')
  async retrieve(
    @Req() http: Request,
    @Param('id') id: string,
    @Query() query: RetrieveResponseDto,
    @Res() response: Response,
  ): Promise<void> {
    const reader = responseReader(this.admission, http, response);
    if (!query.stream) {
      response.type('json').send(await this.stored.find(reader, id));
      return;
    }
    const startingAfter = query.starting_after ?? -1;
    const reading = await this.stored.events(reader, id, startingAfter);
    followEvents(response, reading, this.settings.HEARTBEAT_INTERVAL_MS);
  }

  @Get(':id/input_items')
  async inputItems(
    @Req() http: Request,
    @Param('id') id: string,
    @Query() query: ListInputItemsDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<InputPage> {
    const reader = responseReader(this.admission, http, response);
    return inputPage(await this.stored.inputItems(reader, id), query);
  }

  @Post(':id/cancel')
  @NotCounted()
  @HttpCode(200)
  async cancel(@Req() http: Request, @Param('id') id: string, @Res() response: Response): Promise<void> {
    const reader = responseReader(this.admission, http, response);
    response.type('json').send(await this.stored.cancel(reader, id));
  }

  @Delete(':id')
  async remove(@Req() http: Request, @Param('id') id: string): Promise<object> {
    await this.stored.remove(responseOwner(http), id);
    return { id, object: 'response', deleted: true };
  }
}
