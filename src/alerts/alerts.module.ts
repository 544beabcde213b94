import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ClusterModule } from '../cluster/cluster.module.js';
import { HealthModule } from '../health/health.module.js';
import { LogsModule } from '../logs/logs.module.js';
import { ModelsModule } from '../models/models.module.js';
import { AlertsService } from './alerts.service.js';
import { GatewayWatch } from './gateway-watch.js';

/** Alerts for the operator, by webhook. */
@Module({
  imports: [AccountsModule, ClusterModule, HealthModule, LogsModule, ModelsModule],
  providers: [AlertsService, GatewayWatch],
})
export class AlertsModule {}
