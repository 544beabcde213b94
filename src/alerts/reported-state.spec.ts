import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ALL_WELL } from './alert-state.js';
import { ReportedState } from './reported-state.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reported-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('reads what it wrote, without the explanation of an outage', () => {
  const state = { readiness: 'no_account', accountsOut: ['ann'], isLogHealthy: false };
  const reported = new ReportedState(join(folder, 'alerts.json'));
  reported.write({ ...state, detail: 'x' });
  expect(reported.read()).toEqual(state);
});

it.each([
  ['', ALL_WELL],
  ['null', ALL_WELL],
  ['{"accountsOut":1}', ALL_WELL],
  ['{}', ALL_WELL],
  ['{"accountsOut":["ann"]}', { ...ALL_WELL, accountsOut: ['ann'] }],
])('reads %j as %j', (text, expected) => {
  const path = join(folder, 'damaged.json');
  writeFileSync(path, text);
  expect(new ReportedState(path).read()).toEqual(expected);
});

it('takes all as well where nothing was kept', () => {
  expect(new ReportedState(join(folder, 'none.json')).read()).toEqual(ALL_WELL);
});
