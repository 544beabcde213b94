import { Controller, Get, Param, Req } from '@nestjs/common';
import { type Request } from 'express';
import { ModelNotFoundError } from '../common/errors/gateway.errors.js';
import { callerKeyOf, mayUseModel } from '../common/http/access/caller-key.js';
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
    await this.catalog.refresh();
    const key = callerKeyOf(request);
    const models = this.catalog.list().filter(({ id }) => mayUseModel(key, id));
    return { models: models.map(toGeminiModel) };
  }

  @Get([':id', '*id'])
  async get(
    @Req() request: Request,
    @Param('id') segments: string | readonly string[],
  ): Promise<GeminiModel> {
    await this.catalog.refresh();
    const find = await this.catalog.finder();
    const name = [segments].flat().join('/');
    const model = find(name);
    if (!mayUseModel(callerKeyOf(request), model.id)) {
      throw new ModelNotFoundError(name);
    }
    return toGeminiModel(model);
  }
}
