import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const BENCHMARK = `
  import { BenchProcesses } from '${new URL('processes.mjs', import.meta.url).href}';
  const processes = new BenchProcesses();
  processes.fork('load');
  process.stdout.write(processes.folder);
  setInterval(() => undefined, 1000);
`;

it.each(['SIGINT', 'SIGTERM'])('a benchmark that is stopped by %s leaves nothing behind', async (signal) => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', BENCHMARK]);
  try {
    const [folder] = await once(child.stdout.setEncoding('utf8'), 'data');
    expect(existsSync(folder)).toBe(true);
    child.kill(signal);
    // Not the exit alone: the pipe closes with the last process that has it.
    const [code, by] = await once(child, 'close');
    expect([code, by]).toEqual([null, signal]);
    expect(existsSync(folder)).toBe(false);
  } finally {
    child.kill('SIGKILL');
  }
});
