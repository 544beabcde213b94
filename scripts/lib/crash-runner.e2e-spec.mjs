import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { run } from './processes.mjs';

const jest = fileURLToPath(new URL('../../node_modules/jest/bin/jest.js', import.meta.url));
const runner = fileURLToPath(new URL('crash-runner.mjs', import.meta.url));

let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crash-runner-'));
  writeFileSync(join(folder, 'package.json'), '{}');
  writeFileSync(join(folder, 'good.test.js'), "test('is good', () => {});");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function runFolder() {
  const config = JSON.stringify({ rootDir: folder, runner });
  // A crash on purpose is to leave no file of several hundred megabytes.
  const script = 'ulimit -c 0; exec "$0" "$@"';
  const { ok, output } = await run(
    'sh',
    ['-c', script, process.execPath, jest, '--config', config, '--maxWorkers=2', '--ci'],
    { limitMs: 120_000 },
  );
  return { ok, totals: output.match(/^Tests: .*$/m)?.[0], again: output.match(/once more/g)?.length };
}

it('runs a file once more with which Node has crashed', async () => {
  const crash = `const { existsSync, writeFileSync } = require('node:fs');
    test('crashes once', () => {
      const isAgain = existsSync(__dirname + '/ran');
      writeFileSync(__dirname + '/ran', '');
      return isAgain ? undefined : new Promise(() => process.kill(process.pid, 'SIGSEGV'));
    });`;
  writeFileSync(join(folder, 'crash.test.js'), crash);
  expect(await runFolder()).toEqual({ ok: true, totals: 'Tests:       2 passed, 2 total', again: 1 });
});

it.each([
  ['a crash that comes again', "process.kill(process.pid, 'SIGSEGV')", 1, '1 passed, 1 total'],
  ['a process that is killed', "process.kill(process.pid, 'SIGKILL')", undefined, '1 passed, 1 total'],
  ['a failure', "expect('signal=SIGSEGV').toBe('')", undefined, '1 failed, 1 passed, 2 total'],
])('leaves %s a failure', async (_what, fault, again, totals) => {
  writeFileSync(
    join(folder, 'bad.test.js'),
    `test('is bad', async () => { await ${fault}; await new Promise(() => {}); });`,
  );
  expect(await runFolder()).toEqual({ ok: false, totals: `Tests:       ${totals}`, again });
});
