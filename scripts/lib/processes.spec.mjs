import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { run } from './processes.mjs';

const node = process.execPath;
const here = fileURLToPath(new URL('.', import.meta.url));

describe('run', () => {
  it('gives all output and whether the command succeeded', async () => {
    const script = 'process.stdout.write("out "); console.error("err"); process.exitCode = +process.argv[1]';
    await expect(run(node, ['-e', script, '0'])).resolves.toEqual({ ok: true, output: 'out err' });
    await expect(run(node, ['-e', script, '3'])).resolves.toEqual({ ok: false, output: 'out err' });
  });

  it('says why a command cannot be started', async () => {
    await expect(run('/no/such/program', [])).resolves.toEqual({
      ok: false,
      output: 'spawn /no/such/program ENOENT',
    });
  });

  it.each([
    [{ limitMs: 300 }, 'it took longer than 0.3 s'],
    [{ silenceMs: 300 }, 'it made no progress for 0.3 s'],
  ])('kills a command and what it started: %j', async (options, why) => {
    // The grandchild keeps the pipes open, as the programs behind wrapper scripts do.
    const { ok, output } = await run('sh', ['-c', 'sleep 600 & echo $!; wait'], options);
    const [pid, message] = output.split(/\n+/);
    expect({ ok, message }).toEqual({ ok: false, message: why });
    await gone(Number(pid));
  });

  it('lets a command go on that shows progress', async () => {
    const script = 'let n = 0; setInterval(() => { console.log(++n); if (n === 10) process.exit(); }, 100)';
    const { ok, output } = await run(node, ['-e', script], { silenceMs: 800 });
    expect({ ok, output }).toEqual({ ok: true, output: '1\n2\n3\n4\n5\n6\n7\n8\n9\n10' });
  });

  it('ends with the process that runs it', async () => {
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
         setTimeout(() => process.exit(code), 400);
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

  /** Starts a launcher that becomes the program; `replaces` is how Node 24 does it, else how Node 20 does. */
  async function launch(replaces, shell = false) {
    const launcher = join(folder, 'launcher.mjs');
    writeFileSync(
      launcher,
      `import '${here}follow-parent.mjs';
       import { become } from '${here}processes.mjs';
       ${replaces ? '' : 'process.execve = undefined;'}
       const flags = ${JSON.stringify(['--import', `${here}follow-parent.mjs`])};
       await become(process.execPath, [...flags, ${JSON.stringify(program)}, 'argument'], { ...process.env, ADDED: 'yes' });`,
    );
    const shellScript = join(folder, 'start.sh');
    writeFileSync(shellScript, `#!/bin/sh\n"${node}" "${launcher}"\nexit $?\n`);
    chmodSync(shellScript, 0o755);
    const [command, args] = shell ? [shellScript, []] : [node, [launcher]];
    const parent = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    let text = '';
    parent.stdout.setEncoding('utf8').on('data', (part) => (text += part));
    const [, pid, rest] = await eventually(() => /^(\d+) (.*)\n/.exec(text) ?? undefined);
    expect(rest).toBe('yes argument');
    running.add(Number(pid)).add(parent.pid);
    const end = async () => {
      const [code, signal] = await once(parent, 'close');
      return { code, signal, signals: text.split('\n').slice(1, -1) };
    };
    return { parent, pid: Number(pid), end };
  }

  it('replaces the process where it can', async () => {
    const { parent, pid, end } = await launch(true);
    expect(pid).toBe(parent.pid);
    parent.kill('SIGINT');
    expect(await end()).toEqual({ code: 7, signal: null, signals: ['SIGINT'] });
  });

  describe.each([
    ['replaced', true],
    ['with a child', false],
  ])('%s', (_how, replaces) => {
    it.each(['SIGINT', 'SIGTERM'])('passes %s on once, also if the whole group gets it', async (signal) => {
      const alone = await launch(replaces);
      alone.parent.kill(signal);
      expect(await alone.end()).toEqual({ code: 7, signal: null, signals: [signal] });

      const group = await launch(replaces);
      process.kill(-group.parent.pid, signal);
      expect(await group.end()).toEqual({ code: 7, signal: null, signals: [signal] });
    });

    it('passes a second signal on', async () => {
      const { parent, end } = await launch(replaces);
      parent.kill('SIGTERM');
      await once(parent.stdout, 'data');
      parent.kill('SIGTERM');
      expect(await end()).toEqual({ code: 9, signal: null, signals: ['SIGTERM', 'SIGTERM'] });
    });

    it('asks the program to end when the shell around it is gone', async () => {
      const { parent, pid, end } = await launch(replaces, true);
      parent.kill('SIGTERM');
      expect(await end()).toEqual({ code: null, signal: 'SIGTERM', signals: ['SIGTERM'] });
      await gone(pid);
    });

    it('dies of what killed the program', async () => {
      const { pid, end } = await launch(replaces);
      kill(pid, 'SIGKILL');
      expect(await end()).toEqual({ code: null, signal: 'SIGKILL', signals: [] });
    });
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
