import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ALL_WELL } from './alert-state.js';
import { ToldState } from './told-state.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'told-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('reads what it wrote, without the explanation of an outage', () => {
  const state = { readiness: 'no_account', accountsOut: ['ann'], isLogHealthy: false };
  const told = new ToldState(join(folder, 'alerts.json'));
  told.write({ ...state, detail: 'x' });
  expect(told.read()).toEqual(state);
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
  expect(new ToldState(path).read()).toEqual(expected);
});

it('takes all as well where nothing was kept', () => {
  expect(new ToldState(join(folder, 'none.json')).read()).toEqual(ALL_WELL);
});
