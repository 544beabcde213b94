import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { processEnvironment } from '../../lib/process-environment.mjs';

const ENTRY = join(import.meta.dirname, '..', '..', '..', 'dist', 'main.js');
/** A gateway on a new database waits for a lease before it takes an account. */
const READY_WITHIN_MS = 120_000;
const STOPS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const PROBED = ['--expose-gc', '--import', join(import.meta.dirname, 'process-probe.mjs')];

/** The processes of one benchmark, and the folder that their gateways keep their data in. */
export class BenchProcesses {
  #children = [];
  #folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));

  constructor() {
    STOPS.forEach((signal) => process.on(signal, this.#stop));
  }

  /** Removed at the end. */
  get folder() {
    return this.#folder;
  }

  /** Starts a script of this folder, which sends its `{ url }` when it listens. */
  async startPart(part, ...args) {
    const child = this.fork(part, ...args);
    const [{ url }] = await once(child, 'message');
    return { url, pid: child.pid };
  }

  fork(part, ...args) {
    return this.#track(fork(join(import.meta.dirname, `${part}.mjs`), args));
  }

  /** Gives the gateways that are started from now on a `config.json`. */
  configure(settings) {
    writeFileSync(join(this.#folder, 'config.json'), JSON.stringify(settings));
  }

  /**
   * Starts a gateway as `npm start` does, with room for every request at once.
   *
   * @param nodeOptions options of Node on its command line
   * @param isProbed whether `probe()` can ask it what it holds: see `process-probe.mjs`
   * @returns `{ url, pid, probe, stop }`; the URL ends in `/v1`
   */
  async startGateway({ upstreamUrl, key = '', entry = ENTRY, env = {}, nodeOptions = [], isProbed = false }) {
    const child = this.#track(
      spawn(process.execPath, [...nodeOptions, ...(isProbed ? PROBED : []), resolve(entry)], {
        cwd: this.#folder,
        stdio: ['ignore', 'pipe', 'inherit', ...(isProbed ? ['ipc'] : [])],
        env: {
          ...process.env,
          PROVIDER: 'openai',
          UPSTREAM_BASE_URL: upstreamUrl,
          UPSTREAM_API_KEYS: 'bench-upstream-key',
          API_KEY: key,
          PORT: '0',
          DATA_DIR: join(this.#folder, `data-${this.#children.length}`),
          POOL_MAX_SESSIONS: '256',
          POOL_MAX_SESSIONS_PER_ACCOUNT: '256',
          ...env,
          ...processEnvironment({ ...process.env, ...env }),
        },
      }),
    );
    const probe = async () => {
      child.send('probe');
      const [held] = await once(child, 'message');
      return held;
    };
    return { url: await baseUrlOf(child), pid: child.pid, probe, stop: () => killed(child) };
  }

  async end() {
    await Promise.all(this.#children.map(killed));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Ends the benchmark early, as by Ctrl-C, and leaves neither processes nor the folder behind. */
  #stop = (signal) => {
    this.#children.forEach((child) => child.kill('SIGKILL'));
    // What was killed may write for a moment more.
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 });
    // Not before: a signal often comes twice, and the second would end this process amid its removals.
    STOPS.forEach((stop) => process.off(stop, this.#stop));
    process.kill(process.pid, signal);
  };

  #track(child) {
    this.#children.push(child);
    return child;
  }
}

async function killed(child) {
  child.kill('SIGKILL');
  await (child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined);
}

/** The gateway prints its address when it listens. What it logs afterwards is read and dropped. */
function baseUrlOf(child) {
  return new Promise((done, reject) => {
    let printed = '';
    child.on('exit', (code) => reject(new Error(`The gateway ended with code ${code}: ${printed}`)));
    child.stdout.on('data', (piece) => {
      printed = (printed + piece).slice(-10_000);
      const url = /base URL\s+([^\s"]+)/.exec(printed)?.[1];
      if (url) {
        done(url);
      }
    });
  });
}

/** Waits until a gateway serves; throws if it does not. */
export async function ready({ url }) {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await fetch(new URL('/health/ready', url))).ok) {
    if (performance.now() > deadline) {
      throw new Error('The gateway is not ready.');
    }
    await wait(200);
  }
}

/**
 * Has a process of callers run one round.
 *
 * @param load a process of `load.mjs`
 * @param round options of `load.mjs`
 * @returns its report; throws if a request failed
 */
export async function runLoad(load, round) {
  load.send({ model: 'svc-max', ...round });
  const [result] = await once(load, 'message');
  const { errors, requests, firstError } = result;
  if (errors > 0) {
    throw new Error(`${errors} of ${requests} requests failed, the first with: ${firstError}`);
  }
  return result;
}
