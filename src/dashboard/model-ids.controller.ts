import { Controller, Get } from '@nestjs/common';
import { Settings } from '../common/config/settings.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { ModelCatalog } from '../models/model-catalog.js';

interface ModelIds {
  readonly models: readonly string[];
  /** In tokens, by id; assumed ones are left out. */
  readonly contextWindows: Readonly<Record<string, number>>;
  readonly provider: string;
}

/** Ids of the models, for filters and the chat tester, with their context windows and the provider that answers. */
@NeedsRole('operator')
@Controller('dashboard/api/models')
export class ModelIdsController {
  constructor(
    private readonly catalog: ModelCatalog,
    private readonly settings: Settings,
  ) {}

  @Get()
  async list(): Promise<ModelIds> {
    await this.catalog.refresh();
    const models = this.catalog.list();
    const known = models.filter(({ isWindowAssumed }) => !isWindowAssumed);
    return {
      models: models.map(({ id }) => id),
      contextWindows: Object.fromEntries(known.map(({ id, contextWindow }) => [id, contextWindow])),
      provider: this.settings.PROVIDER,
    };
  }
}
