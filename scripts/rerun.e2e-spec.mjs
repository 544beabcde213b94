import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { run } from './lib/processes.mjs';

const SCRIPT = fileURLToPath(new URL('rerun.mjs', import.meta.url));

describe('npm run rerun', () => {
  it.each([
    ['nothing to run', [], 'Usage:'],
    ['a request and a time', ['req_1', '--since', '24h'], 'Usage:'],
    ['a limit without a time', ['req_1', '--limit', '5'], 'Usage:'],
    ['a log to keep', ['--since', '24h', '--keep'], 'Usage:'],
    ['no time', ['--since', 'yesterday'], '--since: yesterday is no time'],
    ['no number', ['--since', '24h', '--limit', '0'], '--limit: 0 is no number'],
    ['two chunkings of a log', ['--since', '24h', '--chunking', 'whole,7'], '--chunking: takes one'],
    ['no chunking', ['--since', '24h', '--chunking', 'x'], '--chunking: x is neither'],
    ['an unknown option', ['--sinse', '24h'], '--sinse'],
  ])('refuses %s', async (_what, args, said) => {
    const shell = ['-c', '"$0" "$@"; echo "exit code $?"', process.execPath, SCRIPT, ...args];
    const { output } = await run('/bin/sh', shell);
    expect(output).toContain(said);
    expect(output).toMatch(/exit code 2$/);
  });
});
