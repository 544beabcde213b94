import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import { answer, failed } from '../support/upstream/openai-stub-plans.js';
import { loadedModules } from '../support/watch/loaded-modules.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly status: { readonly code: number };
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

interface ExportBody {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly ExportedSpan[] }[];
  }[];
}

describe('traces', () => {
  let collector: Server;
  let endpoint: string;
  let spans: ExportedSpan[];
  let status: number;
  let keys: (string | undefined)[];

  beforeAll(async () => {
    collector = createServer((request, response) => {
      keys.push(request.headers['x-collector-key']?.toString());
      void json(request).then((body) => {
        const { resourceSpans } = body as ExportBody;
        spans.push(...resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)));
        response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
      });
    }).listen(0, '127.0.0.1');
    await once(collector, 'listening');
    endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    spans = [];
    status = 200;
    keys = [];
  });
  afterAll(() => {
    collector.closeAllConnections();
    collector.close();
  });

  it('of a completion go to the collector, below its caller, and on to the upstream', async () => {
    const gateway = await StubGateway.start({
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=a%20key',
      RETRY_BASE_DELAY_MS: 1,
    });
    let sent: unknown;
    try {
      gateway.stub.answerNextWith(failed(503));
      gateway.stub.answerNextWith(answer({ pieces: ['Hello.'] }));
      const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };
      expect((await gateway.complete(ASK, { headers })).status).toBe(200);
      sent = gateway.stub.requests.at(-1)?.headers.traceparent;
    } finally {
      await gateway.close();
    }
    const [root, ...parts] = spans.toSorted(
      (a, b) => Number(b.parentSpanId === PARENT) - Number(a.parentSpanId === PARENT),
    );
    expect(root).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, name: 'chat svc-max' });
    expect(sent).toBe(`00-${TRACE}-${root?.spanId}-01`);
    expect(parts.filter(({ name }) => name === 'attempt').map(({ status }) => status.code)).toEqual([2, 0]);
    expect(parts.every((part) => part.traceId === TRACE && part.parentSpanId === root?.spanId)).toBe(true);
    const attributes = Object.fromEntries(
      (root?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]),
    );
    expect(attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'svc-max',
    });
    expect(keys).toEqual(['a key']);
    expect(JSON.stringify(spans)).not.toContain('Hello');
  });

  it('that begin here have one id in the log, at the upstream and at the collector', async () => {
    const gateway = await StubGateway.start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    gateway.stub.answerWith(answer());
    try {
      await gateway.complete(ASK);
      await gateway.complete(ASK);
    } finally {
      await gateway.close();
    }
    const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
    expect(gateway.stub.requests.map(({ headers }) => headers.traceparent)).toEqual(
      roots.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`),
    );
    expect(gateway.entries.map(({ trace }) => trace)).toMatchObject(
      roots.map(({ traceId, spanId }) => ({ traceId, spanId })),
    );
    expect(new Set(roots.map(({ traceId }) => traceId)).size).toBe(2);
    expect(spans.every(({ traceId }) => roots.some((root) => root.traceId === traceId))).toBe(true);
  });

  it('that cannot be delivered are told of in the process log', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn');
    const gateway = await StubGateway.start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    gateway.stub.answerWith(answer());
    status = 401;
    try {
      await gateway.complete(ASK);
    } finally {
      await gateway.close();
    }
    expect(warn).toHaveBeenCalledWith(
      { event: 'traces_failing', detail: 'The collector answered with status 401.' },
      'traces cannot be delivered',
    );
  });

  it('of a caller go on to the upstream unchanged where none are exported', async () => {
    const gateway = await StubGateway.start();
    try {
      gateway.stub.answerWith(answer());
      const traceparent = `00-${TRACE}-${PARENT}-00`;
      await gateway.complete(ASK, { headers: { traceparent } });
      await gateway.complete(ASK);
      expect(gateway.stub.requests.map(({ headers }) => headers.traceparent)).toEqual([
        traceparent,
        undefined,
      ]);
    } finally {
      await gateway.close();
    }
  });
});

describe('OpenTelemetry', () => {
  /** Modules of OpenTelemetry that a gateway loads, but for its interfaces, which prom-client loads for exemplars. */
  async function loaded(environment: Record<string, string>): Promise<string[]> {
    const urls = await loadedModules(environment);
    return urls.filter((url) => /\/@opentelemetry\/(?!api\/)|trace-export/.test(url));
  }

  it('is loaded only if a collector is named', async () => {
    expect(await loaded({})).toEqual([]);
    expect((await loaded({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })).length).toBeGreaterThan(5);
  });
});
