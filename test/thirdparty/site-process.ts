import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** The first start of a fresh package may bundle its scripts, or compile its modules. */
const START_LIMIT_MS = 3 * 60_000;
const STOP_LIMIT_MS = 5000;

export interface SiteCommand {
  /** In the name of its folder, and in messages. */
  readonly name: string;
  readonly file: string;
  readonly args: (port: number, folder: string) => readonly string[];
  /** Added to the environment of the test. */
  readonly env?: (port: number, folder: string) => Readonly<Record<string, string>>;
  /** Writes files of its configuration. */
  readonly prepare?: (folder: string) => Promise<void>;
  /** A page that answers with 200 once the site is up. */
  readonly health: string;
}

/** The server of a chat site, on a free loopback port and with its data in a temporary folder. */
export class SiteProcess {
  private child: ChildProcess | undefined;
  private output = '';

  private constructor(
    private readonly command: SiteCommand,
    private readonly port: number,
    /** Everything it writes, and room for what the test writes. */
    readonly folder: string,
  ) {}

  static async start(command: SiteCommand): Promise<SiteProcess> {
    const folder = await mkdtemp(join(tmpdir(), `gateway-${command.name}-`));
    const site = new SiteProcess(command, await freePort(), folder);
    try {
      await command.prepare?.(folder);
      await site.run();
      return site;
    } catch (error) {
      await site.stop();
      throw error;
    }
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts the server, again if it ran before. @param env differences from the command's */
  async run(env: Readonly<Record<string, string>> = {}): Promise<void> {
    const { command, port, folder } = this;
    this.child = spawn(command.file, command.args(port, folder), {
      cwd: folder,
      env: { ...process.env, NODE_OPTIONS: '', ...command.env?.(port, folder), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const keep = (text: Buffer): void => {
      this.output = (this.output + text.toString()).slice(-4000);
    };
    this.child.stdout?.on('data', keep);
    this.child.stderr?.on('data', keep);
    await this.answers(this.child);
  }

  /** Ends the process. @param signal SIGKILL for a crash */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const { child } = this;
    if (child && child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      const force = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      child.kill(signal);
      await gone;
      clearTimeout(force);
    }
  }

  /** Ends the process and removes its data. */
  async stop(): Promise<void> {
    await this.end();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async answers(child: ChildProcess): Promise<void> {
    const deadline = performance.now() + START_LIMIT_MS;
    while (!(await this.isUp())) {
      if (child.exitCode !== null || child.signalCode !== null || performance.now() > deadline) {
        throw new Error(`${this.command.name} did not start:\n${this.output}`);
      }
      await pause(100);
    }
  }

  private async isUp(): Promise<boolean> {
    try {
      const response = await fetch(this.origin + this.command.health, { signal: AbortSignal.timeout(5000) });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    }
  }
}

/** Such servers take no port 0, so that somebody else could come first; tests run by hand can live with that. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
