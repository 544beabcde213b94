import { Controller, Get, Headers, Param, Req } from '@nestjs/common';
import { type Request } from 'express';
import { callerKeyOf } from '../common/http/access/caller-key.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import {
  type GeminiModel,
  type ModelInfo,
  type ModelObject,
  toGeminiModel,
  toModelInfo,
  toModelObject,
} from './model.js';
import { ModelCatalog } from './model-catalog.js';

interface ModelList {
  readonly object: 'list';
  readonly data: readonly ModelObject[];
}

interface ModelInfoPage {
  readonly data: readonly ModelInfo[];
  readonly has_more: false;
  readonly first_id: string | null;
  readonly last_id: string | null;
}

interface GeminiModelList {
  readonly models: readonly GeminiModel[];
}

/** A key that is kept to some models sees no others. */
@NeedsRole('caller')
@Controller('v1/models')
export class ModelsController {
  constructor(private readonly catalog: ModelCatalog) {}

  /**
   * @param version sent by all clients of the Messages format, which has a listing of its own
   * @param googleKey sent by all clients of the Gemini API, as above
   */
  @Get()
  async list(
    @Req() request: Request,
    @Headers('anthropic-version') version?: string,
    @Headers('x-goog-api-key') googleKey?: string,
  ): Promise<ModelList | ModelInfoPage | GeminiModelList> {
    const models = await this.catalog.listFor(callerKeyOf(request));
    if (version === undefined) {
      return googleKey === undefined
        ? { object: 'list', data: models.map(toModelObject) }
        : { models: models.map(toGeminiModel) };
    }
    const data = models.map(toModelInfo);
    return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
  }

  /** Takes the slash of names such as `vendor/model` as it is, too. */
  @Get([':id', '*id'])
  async get(
    @Req() request: Request,
    @Param('id') segments: string | readonly string[],
    @Headers('anthropic-version') version?: string,
    @Headers('x-goog-api-key') googleKey?: string,
  ): Promise<ModelObject | ModelInfo | GeminiModel> {
    const find = await this.catalog.finderFor(callerKeyOf(request));
    const model = find([segments].flat().join('/'));
    if (version === undefined) {
      return googleKey === undefined ? toModelObject(model) : toGeminiModel(model);
    }
    return toModelInfo(model);
  }
}
