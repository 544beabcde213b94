import { Controller, Get } from '@nestjs/common';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { ModelCatalog } from '../models/model-catalog.js';

/** Ids of the models, for the filter of the logs page. */
@NeedsRole('operator')
@Controller('dashboard/api/models')
export class ModelIdsController {
  constructor(private readonly catalog: ModelCatalog) {}

  @Get()
  list(): { models: string[] } {
    return { models: this.catalog.list().map(({ id }) => id) };
  }
}
