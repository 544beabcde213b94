import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { withThisNode } from './npm-package.js';

/** The first start of a fresh package bundles its scripts. */
const START_LIMIT_MS = 3 * 60_000;
const STOP_LIMIT_MS = 5000;

/** What differs from the defaults: accounts, and no extensions; and nothing that reaches beyond this machine. */
const config = (hidesUsers: boolean): string => `enableUserAccounts: true
enableDiscreetLogin: ${hidesUsers}
listen: false
whitelistMode: true
whitelist: ['127.0.0.1']
whitelistDockerHosts: false
hostWhitelist:
  enabled: true
browserLaunch:
  enabled: false
extensions:
  enabled: false
enableDownloadableTokenizers: false
logging:
  enableAccessLog: false
`;

/** A SillyTavern server of the test's own, on a free loopback port and with its data in a temporary folder. */
export class SillyTavernServer {
  private output = '';

  private constructor(
    readonly origin: string,
    /** Everything it writes, and room for what the test writes. */
    readonly folder: string,
    private readonly child: ChildProcess,
  ) {
    const keep = (text: Buffer): void => {
      this.output = (this.output + text.toString()).slice(-4000);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
  }

  /** @param hidesUsers whether the login page asks for a name instead of showing the users */
  static async start(packageFolder: string, hidesUsers = false): Promise<SillyTavernServer> {
    const folder = await mkdtemp(join(tmpdir(), 'gateway-sillytavern-'));
    const port = await freePort();
    const configFile = join(folder, 'config.yaml');
    await writeFile(configFile, config(hidesUsers));
    const args = ['--configPath', configFile, '--dataRoot', join(folder, 'data'), '--port', String(port)];
    const child = spawn(process.execPath, [join(packageFolder, 'server.js'), ...args], {
      cwd: folder,
      env: { ...withThisNode(process.env), NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const server = new SillyTavernServer(`http://127.0.0.1:${port}`, folder, child);
    try {
      await server.answers();
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** Ends the process and removes its data. */
  async stop(): Promise<void> {
    const { child, folder } = this;
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      const force = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      child.kill();
      await gone;
      clearTimeout(force);
    }
    await rm(folder, { recursive: true, force: true });
  }

  private async answers(): Promise<void> {
    const deadline = performance.now() + START_LIMIT_MS;
    while (!(await this.isUp())) {
      if (this.child.exitCode !== null || performance.now() > deadline) {
        throw new Error(`SillyTavern did not start:\n${this.output}`);
      }
      await pause(100);
    }
  }

  private async isUp(): Promise<boolean> {
    try {
      const response = await fetch(`${this.origin}/csrf-token`, { signal: AbortSignal.timeout(5000) });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    }
  }
}

/** It takes no port 0, so that somebody else could come first; a test that only runs by hand can live with that. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
