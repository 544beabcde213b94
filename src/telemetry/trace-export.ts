import {
  type Context,
  diag,
  type DiagLogger,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { type OutboundProxy } from '../common/network/proxy/outbound-proxy.js';
import { type TraceContext } from '../logs/records/trace-context.js';
import { type RequestSpan } from './request-spans.js';

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

export interface TraceExportOptions {
  /** Base URL of the collector; `/v1/traces` is added, as the standard has it. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** On the way to the collector. */
  readonly proxy?: OutboundProxy | undefined;
  readonly serviceName: string;
  readonly version: string;
  /** Called after each try to deliver some spans, with the error if it failed. */
  readonly onResult: (error?: Error) => void;
  /** Called with what else the library has to say, e.g. how many spans it had to drop. */
  readonly onWarning: (text: string) => void;
}

/** Most spans that wait for their delivery: those of some 2,000 requests, which may all end at once. */
const MAX_QUEUED_SPANS = 8192;

/** Sends spans to a collector. The only file that loads OpenTelemetry; imported only where traces are exported. */
export class TraceExport {
  private readonly ids = new KnownIds();
  private readonly provider: TracerProvider;
  private readonly tracer: Tracer;

  constructor(options: TraceExportOptions) {
    const { endpoint, headers, proxy, serviceName, version } = options;
    const exporter = new ReportingExporter(
      {
        url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
        headers: { ...headers },
        // Agents of Node know proxies by themselves, from 24.5 on.
        ...(proxy && {
          httpAgentOptions: { keepAlive: true, proxyEnv: { [proxy.variable]: proxy.url.href } },
        }),
      },
      (error) => options.onResult(error && failureOf(error, proxy)),
    );
    diag.setLogger(warningsTo(options.onWarning), {
      logLevel: DiagLogLevel.WARN,
      suppressOverrideMessage: true,
    });
    this.provider = new TracerProvider({
      resource: defaultResource().merge(
        resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
      ),
      idGenerator: this.ids,
      spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: MAX_QUEUED_SPANS })],
    });
    this.tracer = this.provider.getTracer('chat-completion-gateway', version);
  }

  /** @param place of the request; its span has the id that was sent upstream */
  send(span: RequestSpan, { traceId, parentId, spanId, flags }: TraceContext): void {
    this.ids.expect(traceId, spanId);
    const traceFlags = Number.parseInt(flags, 16);
    const parent =
      parentId === undefined
        ? ROOT_CONTEXT
        : trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: parentId, traceFlags, isRemote: true });
    this.record(span, parent);
  }

  /** Sends what is left. Never rejects: of what fails `onResult` tells. */
  close(): Promise<void> {
    return this.provider.shutdown().catch(() => undefined);
  }

  private record(
    { name, kind, startMs, endMs, attributes, error, events, children }: RequestSpan,
    parent: Context,
  ): void {
    const span = this.tracer.startSpan(
      name,
      { kind: KINDS[kind], startTime: startMs, attributes: copied(attributes) },
      parent,
    );
    events.forEach((event) => span.addEvent(event.name, copied(event.attributes), event.atMs));
    if (error !== undefined) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error });
    }
    children.forEach((child) => this.record(child, trace.setSpan(parent, span)));
    span.end(endMs);
  }
}

/** Tells of the result of each batch, which the library's processor keeps to itself. */
class ReportingExporter extends OTLPTraceExporter {
  constructor(
    config: ConstructorParameters<typeof OTLPTraceExporter>[0],
    private readonly onResult: TraceExportOptions['onResult'],
  ) {
    super(config);
  }

  override export(...[spans, done]: Parameters<OTLPTraceExporter['export']>): void {
    super.export(spans, (result) => {
      this.onResult(result.error);
      done(result);
    });
  }
}

function failureOf(error: Error, proxy: OutboundProxy | undefined): Error {
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  if (proxy && code === 'ERR_PROXY_TUNNEL') {
    // Some releases of Node write the proxy's name and password into the message.
    const cause = typeof statusCode === 'number' ? `it answered with status ${statusCode}` : 'it failed';
    return new Error(`The ${proxy.label} opens no tunnel to the collector: ${cause}.`);
  }
  return typeof code === 'number' ? new Error(`The collector answered with status ${code}.`) : error;
}

/** Its errors are failed deliveries, which the exporter has reported. Values beside the text are left out: they may be secret. */
function warningsTo(warn: (text: string) => void): DiagLogger {
  const ignore = (): void => undefined;
  return { warn: (text) => warn(text), error: ignore, info: ignore, debug: ignore, verbose: ignore };
}

/** Ids that are settled when a request begins, and random ones for its parts. */
class KnownIds implements IdGenerator {
  private traceId: string | undefined;
  private spanId: string | undefined;
  private readonly random = new RandomIdGenerator();

  /** The ids of the next span. The tracer asks for that of the span first, and for that of the trace only if it begins one. */
  expect(traceId: string, spanId: string | undefined): void {
    this.traceId = traceId;
    this.spanId = spanId;
  }

  generateTraceId(): string {
    return this.traceId ?? this.random.generateTraceId();
  }

  generateSpanId(): string {
    const { spanId } = this;
    this.spanId = undefined;
    return spanId ?? this.random.generateSpanId();
  }
}

/** The library wants lists that it may change. */
function copied(attributes: RequestSpan['attributes']): Record<string, string | number | boolean | string[]> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, typeof value === 'object' ? [...value] : value]),
  );
}
