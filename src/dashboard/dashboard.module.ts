import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ClusterModule } from '../cluster/cluster.module.js';
import { AuditModule } from '../common/audit/audit.module.js';
import { AccessModule } from '../common/http/access/access.module.js';
import { HealthModule } from '../health/health.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { LogsModule } from '../logs/logs.module.js';
import { ModelsModule } from '../models/models.module.js';
import { AccountDaysController } from './account-days/account-days.controller.js';
import { AccountTestController } from './account-test/account-test.controller.js';
import { AccountTests } from './account-test/account-tests.js';
import { AccountsController } from './accounts.controller.js';
import { ApiDescriptionController } from './api-description.controller.js';
import { CapacityController } from './capacity/capacity.controller.js';
import { PoolHistory } from './capacity/pool-history.js';
import { ClientFindingsController } from './client-findings/client-findings.controller.js';
import { ClientTrafficReader } from './client-findings/client-traffic-reader.js';
import { FullTextsController } from './full-texts.controller.js';
import { HandOverController } from './hand-over/hand-over.controller.js';
import { ModelIdsController } from './model-ids.controller.js';
import { NodesController } from './nodes/nodes.controller.js';
import { OwnFigures } from './nodes/own-figures.js';
import { OverviewController } from './overview.controller.js';
import { PagesModule } from './pages/pages.module.js';
import { RequestsController } from './requests.controller.js';
import { SettingsController } from './settings.controller.js';
import { SettingsCommands } from './settings-commands.js';
import { StatusController } from './status/status.controller.js';

/** The dashboard's pages, and the JSON that they read under `/dashboard/api/`. */
@Module({
  imports: [
    AccessModule,
    AccountsModule,
    AuditModule,
    ClusterModule,
    HealthModule,
    KeysModule,
    LogsModule,
    ModelsModule,
    PagesModule,
  ],
  controllers: [
    AccountDaysController,
    AccountsController,
    AccountTestController,
    ApiDescriptionController,
    CapacityController,
    ClientFindingsController,
    FullTextsController,
    HandOverController,
    ModelIdsController,
    NodesController,
    OverviewController,
    RequestsController,
    SettingsController,
    StatusController,
  ],
  providers: [AccountTests, ClientTrafficReader, OwnFigures, PoolHistory, SettingsCommands],
})
export class DashboardModule {}
