import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FAILURE_REASONS } from '../../src/common/errors/failure-reasons.js';
import { OUTCOMES } from '../../src/logs/records/log-filter.js';
import { MetricsModule } from '../../src/metrics/metrics.module.js';
import { ControllerApp } from '../support/gateway/controller-app.js';

const FILES = ['grafana.json', 'alerts.yml'];

let app: ControllerApp;

beforeAll(async () => {
  app = await ControllerApp.start(MetricsModule);
});
afterAll(() => app.close());

it.each(FILES)('deploy/%s names metrics that there are', async (name) => {
  const { text } = await app.ask('GET', '/metrics');
  const known = new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, metric = '', type]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => metric + part) : [metric],
    ),
  );
  const file = readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8');
  const named = [...new Set(file.match(/\bgateway_\w+/g))];
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((metric) => !known.has(metric))).toEqual([]);
});

it.each(FILES)('deploy/%s names outcomes and reasons that there are', (name) => {
  const file = readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8');
  const named = (label: string): string[] =>
    [...file.matchAll(new RegExp(`gateway_request\\w+\\{${label}=\\W+(\\w+)`, 'g'))].map(
      ([, value = '']) => value,
    );
  expect(OUTCOMES).toEqual(expect.arrayContaining(named('outcome')));
  expect(FAILURE_REASONS).toEqual(expect.arrayContaining(named('reason')));
});

it('the dashboard is JSON in which no panel lies upon another', () => {
  const file = readFileSync(new URL('../../deploy/grafana.json', import.meta.url), 'utf8');
  const { panels } = JSON.parse(file) as { panels: { gridPos: { x: number; y: number } }[] };
  const places = panels.map(({ gridPos: { x, y } }) => `${x},${y}`);
  expect(new Set(places).size).toBe(places.length);
});
