import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ControllerApp } from '../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../test/support/gateway/describe-routes.js';
import { MetricsModule } from './metrics.module.js';

describe('MetricsController', () => {
  let app: ControllerApp;

  beforeAll(async () => {
    app = await ControllerApp.start(MetricsModule, { settings: { PROVIDER: 'openai' } });
  });
  afterAll(() => app.close());

  describeRoutes(() => app, { 'GET /metrics': { good: {} } });

  it('answers in the text format of Prometheus, with the metrics of gateway and process', async () => {
    const { headers, text } = await app.ask('GET', '/metrics');
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(text).toMatch(/^gateway_info\{version="\d[^"]*",provider="openai"\} 1$/m);
    expect(text).toMatch(/^gateway_ready 1$/m);
    expect(text).toMatch(/^gateway_requests_running 0$/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d/m);
  });
});
