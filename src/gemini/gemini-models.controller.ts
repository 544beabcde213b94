import { Controller, Get, Param, Req } from '@nestjs/common';
import { type Request } from 'express';
import { callerKeyOf } from '../common/http/access/caller-key.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { AnswersErrorsAs } from '../common/http/answer/answers-errors-as.decorator.js';
import { type GeminiModel, toGeminiModel } from '../models/model.js';
import { ModelCatalog } from '../models/model-catalog.js';
import { GEMINI_ERRORS } from './gemini-errors.js';

/** The models in the Gemini API; its version `v1` has them at the path of the others. A key that is kept to some models sees no others. */
@AnswersErrorsAs(GEMINI_ERRORS)
@NeedsRole('caller')
@Controller('v1beta/models')
export class GeminiModelsController {
  constructor(private readonly catalog: ModelCatalog) {}

  /** All of them, whatever the size of a page. */
  @Get()
  async list(@Req() request: Request): Promise<{ readonly models: readonly GeminiModel[] }> {
    const models = await this.catalog.listFor(callerKeyOf(request));
    return { models: models.map(toGeminiModel) };
  }

  @Get([':id', '*id'])
  async get(
    @Req() request: Request,
    @Param('id') segments: string | readonly string[],
  ): Promise<GeminiModel> {
    const find = await this.catalog.finderFor(callerKeyOf(request));
    return toGeminiModel(find([segments].flat().join('/')));
  }
}
