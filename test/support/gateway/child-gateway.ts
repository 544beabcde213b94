import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Readable } from 'node:stream';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { type AccountView } from '../../../src/dashboard/account-view.js';
import { OpenAiStub } from '../upstream/openai-stub.js';
import { eventually, PATIENCE_MS } from '../watch/eventually.js';

const PROJECT = join(import.meta.dirname, '..', '..', '..');

/** Arguments of Node that run the sources. */
export const SOURCES = [
  '--import',
  join(PROJECT, 'test', 'support', 'gateway', 'run-typescript.mjs'),
  join(PROJECT, 'src', 'main.ts'),
];

/** End of a process: its exit code, or the signal that ended it. */
export type ProcessEnd = readonly [code: number | null, signal: NodeJS.Signals | null];

/** The gateway as a child process, for tests that signal or kill it. */
export class ChildGateway {
  private constructor(
    private readonly child: ChildProcess,
    readonly pid: number,
    /** Ends in `/v1`. */
    readonly baseUrl: string,
    readonly ended: Promise<ProcessEnd>,
  ) {}

  /**
   * @param environment settings, as the environment has them
   * @param outputFile file for its output; read by this process by default
   * @param program arguments of Node; those that run the sources by default
   */
  static async start(
    environment: {
      readonly DATA_DIR: string;
      readonly [name: string]: string;
    },
    outputFile?: string,
    program: readonly string[] = SOURCES,
  ): Promise<ChildGateway> {
    const output = outputFile === undefined ? 'pipe' : openSync(outputFile, 'a');
    const child = spawn(process.execPath, program, {
      cwd: environment.DATA_DIR,
      stdio: ['ignore', output, 'inherit'],
      env: { ...process.env, PORT: '0', LOG_LEVEL: 'silent', ...environment },
    });
    const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    let end: ProcessEnd | undefined;
    // Once all of its output is read, which may be after its exit.
    child.once('close', (...told: ProcessEnd) => (end = told));
    let text = '';
    // Read until the end: a full pipe would block the child.
    child.stdout?.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    try {
      const started = await eventually(PATIENCE_MS, () => {
        const shown = outputFile === undefined ? text : readFileSync(outputFile, 'utf8');
        const baseUrl = /base URL\s+([^\s"]+)/.exec(shown)?.[1];
        if (baseUrl && child.pid !== undefined) {
          return new ChildGateway(child, child.pid, baseUrl, ended);
        }
        const error = new Error(`The gateway did not start (${end?.join(' ') ?? 'it runs'}): ${shown}`);
        if (end) {
          // Nothing more will come.
          return error;
        }
        throw error;
      });
      if (started instanceof Error) {
        throw started;
      }
      return started;
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    } finally {
      if (typeof output === 'number') {
        closeSync(output);
      }
    }
  }

  async accounts(): Promise<readonly AccountView[]> {
    const response = await fetch(new URL('/dashboard/api/accounts', this.baseUrl));
    return ((await response.json()) as { accounts: AccountView[] }).accounts;
  }

  /** Its output, which is read from the start. */
  get output(): Readable | null {
    return this.child.stdout;
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** Stops it until `SIGCONT`. Its event loop may still run for a moment after the signal, and does not once this resolves. */
  freeze(): Promise<void> {
    this.signal('SIGSTOP');
    return eventually(PATIENCE_MS, () => {
      const stat = readFileSync(`/proc/${this.pid}/stat`, 'utf8');
      expect(stat.slice(stat.lastIndexOf(')'))).toMatch(/^\) T /);
    });
  }

  /** Asks for a completion and expects a whole one. Returns the request's id. */
  async ask(): Promise<string> {
    const response = await fetch(`${this.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'svc-max', messages: [{ role: 'user', content: 'hi' }] }),
    });
    expect([response.status, (await response.text()).endsWith('data: [DONE]\n\n')]).toEqual([200, true]);
    return response.headers.get('x-request-id') ?? '';
  }

  /** Ends it without a chance to clean up. May be called twice. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.ended;
  }
}

/** A gateway in a process of its own on a scripted upstream. Its folder outlives it, so that it can be started again. */
export class ChildRig {
  readonly folder = mkdtempSync(join(tmpdir(), 'child-gateway-'));
  private child: ChildGateway | undefined;

  constructor(readonly stub: OpenAiStub) {}

  /** Starts the gateway, as `ChildGateway.start` does. */
  async start(settings: Readonly<Record<string, string>> = {}, outputFile?: string): Promise<ChildGateway> {
    const upstream = { PROVIDER: 'openai', UPSTREAM_BASE_URL: this.stub.baseUrl, UPSTREAM_API_KEYS: 'k1' };
    this.child = await ChildGateway.start({ DATA_DIR: this.folder, ...upstream, ...settings }, outputFile);
    return this.child;
  }

  async close(): Promise<void> {
    await this.child?.kill();
    await this.stub.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Has a rig for each test of a file: `begin` starts the gateway, or leaves that to the test. */
export function useChildRig(begin: (rig: ChildRig) => unknown): void {
  let rig: ChildRig;
  beforeEach(async () => {
    rig = new ChildRig(await OpenAiStub.start());
    await begin(rig);
  });
  afterEach(() => rig.close());
}
