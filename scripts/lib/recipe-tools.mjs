import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';

/** The arguments cannot be understood; exit code 2. */
export class UsageError extends Error {
  name = 'UsageError';
}

/** Options that both tools know. */
const COMMON_OPTIONS = {
  user: { type: 'string' },
  password: { type: 'string' },
  credential: { type: 'string', multiple: true },
  help: { type: 'boolean' },
};

/** Prints the usage and ends, if that is asked for; throws UsageError if the arguments do not fit the options. */
export function readArguments(options, usage) {
  let parsed;
  try {
    parsed = parseArgs({
      options: { ...COMMON_OPTIONS, ...options },
      allowPositionals: true,
      allowNegative: true,
    });
  } catch (error) {
    throw new UsageError(`${error.message}\n\n${usage}`);
  }
  if (parsed.values.help) {
    console.log(usage);
    process.exit(0);
  }
  return parsed;
}

/** Credentials out of the arguments and, for the names wanted, the environment: `RECIPE_USER` for `user`. */
export function givenCredentials({ user, password, credential = [] }, wanted) {
  const fromEnvironment = wanted.flatMap((name) => {
    const value = process.env[`RECIPE_${name.replace(/\W/g, '_').toUpperCase()}`];
    return value === undefined ? [] : [[name, value]];
  });
  const named = credential.map((text) => {
    const at = text.indexOf('=');
    if (at < 1) {
      throw new UsageError('--credential takes name=value');
    }
    return [text.slice(0, at), text.slice(at + 1)];
  });
  return Object.fromEntries([
    ...fromEnvironment,
    ...(user === undefined ? [] : [['user', user]]),
    ...(password === undefined ? [] : [['password', password]]),
    ...named,
  ]);
}

/** Asks on the terminal for what is missing; nothing of it is shown. Throws UsageError where nobody can be asked. */
export async function completeCredentials(given, wanted) {
  const missing = wanted.filter((name) => !Object.hasOwn(given, name));
  if (missing.length > 0 && !process.stdin.isTTY) {
    throw new UsageError(
      `The recipe needs ${missing.join(', ')}: give --user, --password or --credential name=value, or set ` +
        missing.map((name) => `RECIPE_${name.toUpperCase()}`).join(', '),
    );
  }
  const complete = { ...given };
  for (const name of missing) {
    complete[name] = await askUnseen(`${name}: `);
  }
  return complete;
}

/** A line from the terminal that is not shown while it is typed. */
function askUnseen(question) {
  process.stderr.write(question);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: unseen, terminal: true });
  return new Promise((resolve, reject) => {
    let answer;
    terminal.once('line', (line) => {
      answer = line;
      terminal.close();
    });
    terminal.once('close', () => {
      process.stderr.write('\n');
      if (answer === undefined) {
        reject(new UsageError('Nothing was entered.'));
      } else {
        resolve(answer);
      }
    });
  });
}

/** Environment variables of the display, or undefined if there is none. */
export function displayEnvironment() {
  if (process.platform !== 'linux') {
    return {};
  }
  const {
    DISPLAY,
    WAYLAND_DISPLAY,
    XDG_RUNTIME_DIR,
    XAUTHORITY = join(homedir(), '.Xauthority'),
  } = process.env;
  if (!DISPLAY && !WAYLAND_DISPLAY) {
    return undefined;
  }
  return {
    ...(DISPLAY && { DISPLAY }),
    ...(WAYLAND_DISPLAY && { WAYLAND_DISPLAY }),
    ...(XDG_RUNTIME_DIR && { XDG_RUNTIME_DIR }),
    ...(existsSync(XAUTHORITY) && { XAUTHORITY }),
  };
}

/** Aborted by Ctrl-C or when the process is told to stop, so that the browser ends first; the second time ends at once. */
export function stopSignal() {
  const control = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(name, () => control.abort(new Error('Stopped.')));
  }
  return control.signal;
}

/** Ends the process with a message for the person at the terminal. */
export function failTool(error, fail) {
  if (error.name === 'UsageError' || error.name === 'InvalidRecipeError') {
    console.error(error.message);
    process.exit(2);
  }
  if (error.message === 'Stopped.') {
    console.error(error.message);
    process.exit(130);
  }
  fail(error);
}
