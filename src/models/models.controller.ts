import { Controller, Get, Headers, Param } from '@nestjs/common';
import { type ModelInfo, type ModelObject, toModelInfo, toModelObject } from './model.js';
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

@Controller('v1/models')
export class ModelsController {
  constructor(private readonly catalog: ModelCatalog) {}

  /** @param version sent by all clients of the Messages format, which has a listing of its own */
  @Get()
  list(@Headers('anthropic-version') version?: string): ModelList | ModelInfoPage {
    const models = this.catalog.list();
    if (version === undefined) {
      return { object: 'list', data: models.map(toModelObject) };
    }
    const data = models.map(toModelInfo);
    return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
  }

  @Get(':id')
  get(@Param('id') id: string, @Headers('anthropic-version') version?: string): ModelObject | ModelInfo {
    const model = this.catalog.get(id);
    return version === undefined ? toModelObject(model) : toModelInfo(model);
  }
}
