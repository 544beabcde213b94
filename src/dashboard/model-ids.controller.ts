import { Controller, Get } from '@nestjs/common';
import { Settings } from '../common/config/settings.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { ModelCatalog } from '../models/model-catalog.js';

/** Ids of the models, for filters and the chat tester, with the provider that answers. */
@NeedsRole('operator')
@Controller('dashboard/api/models')
export class ModelIdsController {
  constructor(
    private readonly catalog: ModelCatalog,
    private readonly settings: Settings,
  ) {}

  @Get()
  async list(): Promise<{ models: string[]; provider: string }> {
    await this.catalog.refresh();
    return { models: this.catalog.list().map(({ id }) => id), provider: this.settings.PROVIDER };
  }
}
