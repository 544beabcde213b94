import { type DynamicModule, Module } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { AlertsModule } from './alerts/alerts.module.js';
import { ChatModule } from './chat/chat.module.js';
import { SettingsModule } from './common/config/settings.module.js';
import { type SettingsConfig } from './common/config/settings-loader.js';
import { HttpEdgeModule } from './common/http/http-edge.module.js';
import { LoggingModule } from './common/logging/logging.module.js';
import { TimeModule } from './common/time/time.module.js';
import { DashboardModule } from './dashboard/dashboard.module.js';
import { GeminiModule } from './gemini/gemini.module.js';
import { HealthModule } from './health/health.module.js';
import { KeysModule } from './keys/keys.module.js';
import { MessagesModule } from './messages/messages.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { ModelsModule } from './models/models.module.js';
import { OllamaModule } from './ollama/ollama.module.js';
import { RerunModule } from './rerun/rerun.module.js';
import { ResponsesModule } from './responses/responses.module.js';
import { TelemetryModule } from './telemetry/telemetry.module.js';
import { TextCompletionsModule } from './text-completions/text-completions.module.js';

/** The whole gateway. Read on in `chat/chat.controller.ts`; ARCHITECTURE.md has the walk of a request. */
@Module({
  imports: [
    SettingsModule,
    LoggingModule,
    TimeModule,
    KeysModule,
    ModelsModule,
    ChatModule,
    MessagesModule,
    ResponsesModule,
    TextCompletionsModule,
    OllamaModule,
    GeminiModule,
    RerunModule,
    DashboardModule,
    HealthModule,
    MetricsModule,
    AlertsModule,
    TelemetryModule,
    HttpEdgeModule,
  ],
})
export class AppModule {
  /** @throws SettingsError naming every bad key */
  static async forRoot(config: SettingsConfig): Promise<DynamicModule> {
    return { module: AppModule, imports: [await ConfigModule.forRoot(config)] };
  }
}
