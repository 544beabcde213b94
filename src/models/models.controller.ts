import { Controller, Get, Param } from '@nestjs/common';
import { type ModelObject, toModelObject } from './model.js';
import { ModelCatalog } from './model-catalog.js';

@Controller('v1/models')
export class ModelsController {
  constructor(private readonly catalog: ModelCatalog) {}

  @Get()
  list(): { object: 'list'; data: ModelObject[] } {
    return { object: 'list', data: this.catalog.list().map(toModelObject) };
  }

  @Get(':id')
  get(@Param('id') id: string): ModelObject {
    return toModelObject(this.catalog.get(id));
  }
}
