import { type DynamicModule, Module } from '@nestjs/common';
import { ConfigModule, type ConfigModuleOptions } from '@nestjs/config';
import { ChatModule } from './chat/chat.module.js';
import { SettingsModule } from './common/config/settings.module.js';
import { HttpEdgeModule } from './common/http/http-edge.module.js';
import { LoggingModule } from './common/logging/logging.module.js';
import { TimeModule } from './common/time/time.module.js';
import { DashboardModule } from './dashboard/dashboard.module.js';
import { HealthModule } from './health/health.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { ModelsModule } from './models/models.module.js';

/** The whole gateway. Read on in `chat/chat.controller.ts`; ARCHITECTURE.md has the walk of a request. */
@Module({})
export class AppModule {
  static forRoot(config: ConfigModuleOptions): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        SettingsModule,
        LoggingModule,
        TimeModule,
        ModelsModule,
        ChatModule,
        DashboardModule,
        HealthModule,
        MetricsModule,
        HttpEdgeModule,
      ],
    };
  }
}
