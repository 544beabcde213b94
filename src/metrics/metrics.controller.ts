import { Controller, Get, Res } from '@nestjs/common';
import { type Response } from 'express';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { MetricsService } from './metrics.service.js';

/** Figures for Prometheus. */
@NeedsRole('operator')
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: MetricsService) {}

  @Get()
  async text(@Res({ passthrough: true }) response: Response): Promise<string> {
    response.setHeader('Content-Type', this.metrics.contentType);
    return this.metrics.text();
  }
}
