import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { HealthModule } from '../health/health.module.js';
import { LogsModule } from '../logs/logs.module.js';
import { ModelsModule } from '../models/models.module.js';
import { MetricsController } from './metrics.controller.js';
import { MetricsService } from './metrics.service.js';

/** Figures for Prometheus, counted from the log. */
@Module({
  imports: [AccountsModule, HealthModule, LogsModule, ModelsModule],
  controllers: [MetricsController],
  providers: [MetricsService],
})
export class MetricsModule {}
