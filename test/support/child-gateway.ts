import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type AccountView } from '../../src/dashboard/account-view.js';

const PROJECT = join(import.meta.dirname, '..', '..');
const START_LIMIT_MS = 20_000;

/** The gateway as a process of its own, for tests that kill it. */
export class ChildGateway {
  private constructor(
    private readonly child: ChildProcess,
    readonly pid: number,
    /** Ends in `/v1`. */
    readonly baseUrl: string,
  ) {}

  /** @param environment settings, as the environment has them */
  static async start(environment: {
    readonly DATA_DIR: string;
    readonly [name: string]: string;
  }): Promise<ChildGateway> {
    const child = spawn(
      process.execPath,
      ['--import', join(PROJECT, 'test', 'support', 'run-typescript.mjs'), join(PROJECT, 'src', 'main.ts')],
      {
        cwd: environment.DATA_DIR,
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, PORT: '0', LOG_LEVEL: 'silent', ...environment },
      },
    );
    const timer = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
    let output = '';
    for await (const text of child.stdout.setEncoding('utf8')) {
      output += text;
      const baseUrl = /base URL\s+(\S+)/.exec(output)?.[1];
      if (baseUrl && child.pid !== undefined) {
        clearTimeout(timer);
        // Read on, or the child would wait for a reader one day.
        child.stdout.resume();
        return new ChildGateway(child, child.pid, baseUrl);
      }
    }
    throw new Error(`The gateway did not start: ${output}`);
  }

  async accounts(): Promise<readonly AccountView[]> {
    const response = await fetch(new URL('/dashboard/api/accounts', this.baseUrl));
    return ((await response.json()) as { accounts: AccountView[] }).accounts;
  }

  /** Ends it without a chance to clean up. May be called twice. */
  async kill(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await ended;
    }
  }
}
