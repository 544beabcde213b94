import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { AnswersErrorsAs } from '../../common/http/answer/answers-errors-as.decorator.js';
import { LoggedAs } from '../../logs/logged-as.decorator.js';
import { CreateResponseDto } from './dto/create-response.dto.js';
import { ResponsesService } from './responses.service.js';
import { RESPONSES_ERRORS } from './responses-error-format.js';

@AnswersErrorsAs(RESPONSES_ERRORS)
@Controller('v1/responses')
export class ResponsesController {
  constructor(private readonly responses: ResponsesService) {}

  @Post()
  @LoggedAs('completion')
  async create(
    @Body() body: CreateResponseDto,
    @Req() http: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.responses.create(body, http, response);
  }
}
