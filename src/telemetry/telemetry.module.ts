import { Module } from '@nestjs/common';
import { LogsModule } from '../logs/logs.module.js';
import { TelemetryService } from './telemetry.service.js';

/** Traces for OpenTelemetry. */
@Module({ imports: [LogsModule], providers: [TelemetryService] })
export class TelemetryModule {}
