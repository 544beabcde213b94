import { Module } from '@nestjs/common';
import { LogsModule } from '../logs/logs.module.js';
import { ModelsModule } from '../models/models.module.js';
import { TelemetryService } from './telemetry.service.js';

/** Traces for OpenTelemetry. */
@Module({ imports: [LogsModule, ModelsModule], providers: [TelemetryService] })
export class TelemetryModule {}
