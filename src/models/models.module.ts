import { Module } from '@nestjs/common';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { ModelCatalog } from './model-catalog.js';
import { ModelsController } from './models.controller.js';
import { UpstreamModels } from './upstream-models.js';

/** The catalogue of models, its endpoints, and the list of the upstream. */
@Module({
  imports: [UpstreamModule],
  controllers: [ModelsController],
  providers: [ModelCatalog, UpstreamModels],
  exports: [ModelCatalog, UpstreamModels],
})
export class ModelsModule {}
