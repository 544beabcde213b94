import { Module } from '@nestjs/common';
import { ModelCatalog } from './model-catalog.js';
import { ModelsController } from './models.controller.js';

@Module({
  controllers: [ModelsController],
  providers: [ModelCatalog],
  exports: [ModelCatalog],
})
export class ModelsModule {}
