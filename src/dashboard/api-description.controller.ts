import { join } from 'node:path';
import { Controller, Get, Res } from '@nestjs/common';
import { type Response } from 'express';
import { projectFolder } from '../common/files/project-folder.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';

/** The OpenAPI description of every route. */
@NeedsRole('caller')
@Controller('openapi.json')
export class ApiDescriptionController {
  @Get()
  read(@Res() response: Response): void {
    response.setHeader('Cache-Control', 'no-cache');
    response.sendFile('openapi.json', { root: join(projectFolder(), 'client') });
  }
}
