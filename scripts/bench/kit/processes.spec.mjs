import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';

const BENCHMARK = `
  import { writeFileSync } from 'node:fs';
  import { BenchProcesses } from '${new URL('processes.mjs', import.meta.url).href}';
  const processes = new BenchProcesses();
  processes.fork('load');
  for (let at = 0; at < 2000; at++) {
    writeFileSync(processes.folder + '/' + at, '');
  }
  process.stdout.write(processes.folder);
  setInterval(() => undefined, 1000);
`;

it.each(['SIGINT', 'SIGTERM'])('a benchmark that is stopped by %s leaves nothing behind', async (signal) => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', BENCHMARK]);
  try {
    const [folder] = await once(child.stdout.setEncoding('utf8'), 'data');
    expect(existsSync(folder)).toBe(true);
    // Not the exit alone: the pipe closes with the last process that has it.
    const closed = once(child, 'close');
    // npm and `timeout` pass on what the terminal sends to all, so that it arrives twice, and people press Ctrl-C again.
    while (child.kill(signal)) {
      await turn();
    }
    const [code, by] = await closed;
    expect([code, by]).toEqual([null, signal]);
    expect(existsSync(folder)).toBe(false);
  } finally {
    child.kill('SIGKILL');
  }
});
