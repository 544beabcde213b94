import { spawn } from 'node:child_process';
import { setTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Something the person at the terminal has to mend; shown without a stack. */
export class SetupError extends Error {
  name = 'SetupError';
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const KILL_AFTER_MS = 3000;
const ownGroups = process.platform !== 'win32';

/**
 * Runs a command to its end and never rejects. The command is stopped, with all it started, when a limit is over or
 * when this process is told to stop.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {object} [options] as for `spawn`, and:
 * @param {number} [options.limitMs] longest run; default one minute
 * @param {number} [options.silenceMs] longest time without output; default: no such limit
 * @returns {Promise<{ok: boolean, output: string}>} `output` is all that was printed, and at its end why it failed
 */
export function run(command, args, { limitMs = 60_000, silenceMs = limitMs, ...options } = {}) {
  return new Promise((resolve) => {
    let output = '';
    const stopOnSignal = (signal) => {
      signalGroup(child, signal);
      process.kill(process.pid, signal);
    };
    // Before there is a child: a signal right after it began would leave it behind.
    for (const signal of SIGNALS) {
      process.once(signal, stopOnSignal);
    }
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      ...options,
      detached: ownGroups,
    });
    let lastResort;
    const stop = (why) => {
      output += `\n${why}`;
      // Asked first: a package manager that is killed leaves its database locked or broken.
      signalGroup(child, 'SIGTERM');
      lastResort ??= setTimeout(() => signalGroup(child, 'SIGKILL'), KILL_AFTER_MS);
      // A grandchild in a group of its own could still hold the pipes open.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const limit = setTimeout(stop, limitMs, `it took longer than ${limitMs / 1000} s`);
    const silence = setTimeout(stop, silenceMs, `it made no progress for ${silenceMs / 1000} s`);
    const finish = (ok) => {
      for (const timer of [limit, silence, lastResort]) {
        timer?.close();
      }
      for (const signal of SIGNALS) {
        process.off(signal, stopOnSignal);
      }
      resolve({ ok, output: output.trim() });
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
        silence.refresh();
      });
    }
    child.once('error', (error) => {
      output += error.message;
      finish(false);
    });
    child.once('close', (code) => finish(code === 0));
  });
}

/**
 * Goes on as another command, with the same terminal and the same exit code. Where the platform and this Node can,
 * the process is replaced, so that signals have one receiver; else a child gets the signals passed on.
 */
export function become(command, args, env = process.env) {
  if (ownGroups && process.execve) {
    process.execve(command, [command, ...args], { ...env });
  }
  // In a group of its own the child hears of Ctrl-C from here only: heard twice, it would not end gracefully.
  const child = spawn(command, args, { env, stdio: 'inherit', detached: ownGroups });
  const passOn = (signal) => signalGroup(child, signal);
  for (const signal of SIGNALS) {
    process.on(signal, passOn);
  }
  child.once('error', (error) => fail(error));
  child.once('exit', (code, signal) => {
    for (const name of SIGNALS) {
      process.off(name, passOn);
    }
    if (signal) {
      process.kill(process.pid, signal);
    } else {
      process.exit(code);
    }
  });
  return new Promise(() => undefined);
}

/**
 * Ends the process with a message; settings that are not valid have an exit code of their own.
 * @param {number} [code] exit code for anything else
 */
export function fail(error, code = 1) {
  const isForPeople = error instanceof SetupError || error.name === 'SettingsError';
  console.error(isForPeople ? `\n${error.message}` : error);
  process.exit(error.name === 'SettingsError' ? 2 : code);
}

function signalGroup({ pid }, signal) {
  try {
    process.kill(ownGroups ? -pid : pid, signal);
  } catch {
    // It has ended already, or never started.
  }
}
