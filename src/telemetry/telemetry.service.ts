import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Subscription } from 'rxjs';
import { parseCollectorHeaders } from '../common/config/collector-headers.js';
import { Settings } from '../common/config/settings.js';
import { messageWithCauses } from '../common/errors/message-with-causes.js';
import { PROJECT_VERSION } from '../common/files/project-version.js';
import { Outage } from '../common/logging/outage.js';
import { proxyFor } from '../common/network/proxy/outbound-proxy.js';
import { settledWithin } from '../common/time/settled-within.js';
import { LogsService } from '../logs/logs.service.js';
import { ModelCatalog } from '../models/model-catalog.js';
import { toRequestSpan } from './request-spans.js';
import { type TraceExport } from './trace-export.js';

/** Longest wait at the shutdown for a collector that does not answer. */
const CLOSE_LIMIT_MS = 3000;

/**
 * Exports completions as traces (`OTEL_EXPORTER_OTLP_ENDPOINT`). Spans are made from the log entry of an ended request, so
 * that they cost a running one nothing; without an endpoint no part of OpenTelemetry is loaded.
 */
@Injectable()
export class TelemetryService implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Telemetry');
  private readonly outage = new Outage({
    begun: (error) =>
      this.logger.warn(
        { event: 'traces_failing', detail: messageWithCauses(error as Error) },
        'traces cannot be delivered',
      ),
    over: () => this.logger.warn({ event: 'traces_back' }, 'traces are delivered again'),
  });
  private traces: TraceExport | undefined;
  private subscription: Subscription | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly logs: LogsService,
    private readonly models: ModelCatalog,
  ) {}

  async onModuleInit(): Promise<void> {
    const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: serviceName } = this.settings;
    if (endpoint === undefined) {
      return;
    }
    const { TraceExport } = await import('./trace-export.js');
    const headers = parseCollectorHeaders(this.settings.OTEL_EXPORTER_OTLP_HEADERS);
    const traces = new TraceExport({
      endpoint,
      headers,
      proxy: proxyFor(new URL(endpoint), this.settings),
      serviceName,
      version: PROJECT_VERSION,
      onResult: (error) => (error ? this.outage.failed(error) : this.outage.succeeded()),
      onWarning: (text) => this.logger.warn({ event: 'traces_warning' }, text),
    });
    this.traces = traces;
    const names = { provider: this.settings.PROVIDER, isModel: (id: string) => this.models.has(id) };
    this.subscription = this.logs.endedCompletions$.subscribe((entry) => {
      if (entry.trace) {
        traces.send(toRequestSpan(entry, names), entry.trace);
      }
    });
  }

  async onApplicationShutdown(): Promise<void> {
    if (!this.traces) {
      return;
    }
    this.logs.settle();
    this.subscription?.unsubscribe();
    const closing = this.traces.close().then(() => true);
    if (!(await settledWithin(CLOSE_LIMIT_MS, closing))) {
      this.outage.failed(new Error('The collector did not answer in time.'));
    }
  }
}
