import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TestsAtOnce } from '../../test/support/watch/tests-at-once.ts';
import { run } from './processes.mjs';

const node = process.execPath;
const here = fileURLToPath(new URL('.', import.meta.url));

describe('run', () => {
  const atOnce = new TestsAtOnce();

  atOnce.it('gives all output and whether the command succeeded', async () => {
    const script = 'process.stdout.write("out "); console.error("err"); process.exitCode = +process.argv[1]';
    await expect(run(node, ['-e', script, '0'])).resolves.toEqual({ ok: true, output: 'out err' });
    await expect(run(node, ['-e', script, '3'])).resolves.toEqual({ ok: false, output: 'out err' });
  });

  atOnce.it('says why a command cannot be started', async () => {
    await expect(run('/no/such/program', [])).resolves.toEqual({
      ok: false,
      output: 'spawn /no/such/program ENOENT',
    });
  });

  atOnce.it('kills a command that takes too long or shows no progress, and what it started', async () => {
    const limits = [{ limitMs: 1000 }, { silenceMs: 1000 }];
    // The grandchild keeps the pipes open, as the programs behind wrapper scripts do.
    const script = 'sleep 600 & echo $!; wait';
    const results = await Promise.all(limits.map((options) => run('sh', ['-c', script], options)));
    const [pids, whys] = [0, 1].map((part) => results.map(({ output }) => output.split(/\n+/)[part]));
    expect(whys).toEqual(['it took longer than 1 s', 'it made no progress for 1 s']);
    expect(results.some(({ ok }) => ok)).toBe(false);
    await Promise.all(pids.map((pid) => gone(Number(pid))));
  });

  atOnce.it('kills a command that does not stop when asked', async () => {
    const { ok, output } = await run('sh', ['-c', 'trap "" TERM; echo $$; while :; do sleep 1; done'], {
      limitMs: 3000,
    });
    const [pid, why] = output.split(/\n+/);
    expect({ ok, why }).toEqual({ ok: false, why: 'it took longer than 3 s' });
    await gone(Number(pid));
  });

  atOnce.it('lets a command go on that shows progress', async () => {
    const script = 'for n in 1 2 3 4 5 6; do sleep 1; echo $n; done';
    const { ok, output } = await run('sh', ['-c', script], { silenceMs: 4000 });
    expect({ ok, output }).toEqual({ ok: true, output: '1\n2\n3\n4\n5\n6' });
  });

  atOnce.it('ends with the process that runs it', async () => {
    const script = `import { run } from '${here}processes.mjs';
      process.stdout.write('up');
      await run('sh', ['-c', 'echo $$ > "$0"; exec sleep 600', process.argv[1]]);`;
    const folder = mkdtempSync(join(tmpdir(), 'run-'));
    const pidFile = join(folder, 'pid');
    const parent = spawn(node, ['--input-type=module', '-e', script, pidFile], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = Number(await eventually(() => readFileSync(pidFile, 'utf8').trim() || undefined));
    parent.kill('SIGTERM');
    expect(await once(parent, 'exit')).toEqual([null, 'SIGTERM']);
    await gone(pid);
    rmSync(folder, { recursive: true });
  });
});

describe('become', () => {
  let folder;
  let program;
  const running = new Set();

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'become-'));
    program = join(folder, 'program.mjs');
    // Counts its signals: the first asks it to end with code 7, a second would make that 9.
    writeFileSync(
      program,
      `let code = 5;
       for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {
         code += 2;
         console.log(signal);
         setTimeout(() => process.exit(code), 2000);
       });
       setInterval(() => {}, 1000);
       console.log(process.pid, process.env.ADDED, process.argv[2]);`,
    );
  });

  afterEach(() => {
    for (const pid of running) {
      kill(pid, 'SIGKILL');
    }
    running.clear();
    rmSync(folder, { recursive: true });
  });

  /** A launcher that becomes the program, alone and in a shell; `replaces` is how Node 24 does it, else Node 20. */
  function writeLaunchers(replaces) {
    const flags = ['--import', `${here}follow-parent.mjs`];
    writeFileSync(
      join(folder, 'launcher.mjs'),
      `import '${here}follow-parent.mjs';
       import { become } from '${here}processes.mjs';
       ${replaces ? '' : 'process.execve = undefined;'}
       const args = ${JSON.stringify([...flags, program, 'argument'])};
       await become(process.execPath, args, { ...process.env, ADDED: 'yes' });`,
    );
    writeFileSync(
      join(folder, 'launcher.sh'),
      `#!/bin/sh\n"${node}" "${join(folder, 'launcher.mjs')}"\nexit $?\n`,
    );
    chmodSync(join(folder, 'launcher.sh'), 0o755);
  }

  async function launch(command, ...args) {
    const parent = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    let text = '';
    parent.stdout.setEncoding('utf8').on('data', (part) => (text += part));
    const [, pid, rest] = await eventually(() => /^(\d+) (.*)\n/.exec(text) ?? undefined);
    expect(rest).toBe('yes argument');
    running.add(Number(pid)).add(parent.pid);
    const end = once(parent, 'close').then(([code, signal]) => ({
      code,
      signal,
      signals: text.split('\n').slice(1, -1),
    }));
    return { parent, pid: Number(pid), end };
  }

  it.each([
    ['replaces the process where it can', true],
    ['passes signals on to a child elsewhere', false],
  ])('%s', async (_what, replaces) => {
    writeLaunchers(replaces);
    const alone = [node, join(folder, 'launcher.mjs')];
    const [interrupted, group, twice, shell, killed] = await Promise.all([
      launch(...alone),
      launch(...alone),
      launch(...alone),
      launch(join(folder, 'launcher.sh')),
      launch(...alone),
    ]);
    expect(interrupted.pid === interrupted.parent.pid).toBe(replaces);

    interrupted.parent.kill('SIGINT');
    process.kill(-group.parent.pid, 'SIGTERM');
    twice.parent.kill('SIGTERM');
    shell.parent.kill('SIGTERM');
    kill(killed.pid, 'SIGKILL');
    await once(twice.parent.stdout, 'data');
    twice.parent.kill('SIGTERM');

    expect(await Promise.all([interrupted, group, twice, shell, killed].map(({ end }) => end))).toEqual([
      { code: 7, signal: null, signals: ['SIGINT'] },
      { code: 7, signal: null, signals: ['SIGTERM'] },
      { code: 9, signal: null, signals: ['SIGTERM', 'SIGTERM'] },
      // The shell is gone at once; the program sees that and ends as if it had been told itself.
      { code: null, signal: 'SIGTERM', signals: ['SIGTERM'] },
      { code: null, signal: 'SIGKILL', signals: [] },
    ]);
    await gone(shell.pid);
  });
});

function kill(pid, signal) {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Waits until a process has ended; a zombie that nobody has asked for yet has. */
function gone(pid) {
  return eventually(() => {
    const state = kill(pid, 0) ? /\) (\S)/.exec(readIfThere(`/proc/${pid}/stat`))?.[1] : 'Z';
    return state === 'Z' ? true : undefined;
  });
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Asks again until there is an answer; Jest's own limit ends a test that gets none. */
async function eventually(ask) {
  for (;;) {
    try {
      const answer = ask();
      if (answer !== undefined) {
        return answer;
      }
    } catch {
      // Not there yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
