import { Controller, Get, Req } from '@nestjs/common';
import { type Request } from 'express';
import { Settings } from '../common/config/settings.js';
import { callerKeyOf, ownerOf } from '../common/http/access/caller-key.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { ModelCatalog } from '../models/model-catalog.js';

interface ModelIds {
  readonly models: readonly string[];
  /** In tokens, by id; assumed ones are left out. */
  readonly contextWindows: Readonly<Record<string, number>>;
  /** Not told to callers. */
  readonly provider?: string;
}

/** Ids of the models that the key may use, for filters and the chat tester, with context windows and the provider. */
@NeedsRole('caller')
@Controller('dashboard/api/models')
export class ModelIdsController {
  constructor(
    private readonly catalog: ModelCatalog,
    private readonly settings: Settings,
  ) {}

  @Get()
  async list(@Req() request: Request): Promise<ModelIds> {
    const key = callerKeyOf(request);
    const models = await this.catalog.listFor(key);
    const known = models.filter(({ isWindowAssumed }) => !isWindowAssumed);
    return {
      models: models.map(({ id }) => id),
      contextWindows: Object.fromEntries(known.map(({ id, contextWindow }) => [id, contextWindow])),
      ...(ownerOf(key) === undefined && { provider: this.settings.PROVIDER }),
    };
  }
}
