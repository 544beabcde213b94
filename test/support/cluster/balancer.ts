import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, PATIENCE_MS } from '../watch/eventually.js';

const CONFIGURATION = join(import.meta.dirname, '..', '..', '..', 'deploy', 'haproxy', 'haproxy.cfg');

/** Header of each answer that names the gateway which gave it. */
export const SERVED_BY = 'x-served-by';

/** Header of each answer that names the part of the configuration by which it went. */
export const BACKEND = 'x-backend';

/** The reason why there is no balancer here; undefined if there is one. */
export function whyNoBalancer(): string | undefined {
  return spawnSync('haproxy', ['-v']).status === 0 ? undefined : 'needs haproxy, e.g. of Debian';
}

/** HAProxy with the configuration of `deploy/`, in front of gateways on this machine. */
export class Balancer {
  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
    /** Ends in `/v1`. */
    readonly baseUrl: string,
  ) {}

  /** @param ports of the gateways, which need not run yet */
  static async start(ports: readonly number[]): Promise<Balancer> {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'gateway-balancer-'));
    const file = join(folder, 'haproxy.cfg');
    /** The lines of one backend's servers, with what stands behind the first one's address. */
    const servers = (lines: string): string => {
      const [, more = ''] = /server gateway-1 \S+(.*)/.exec(lines) ?? [];
      const each = ports.map((one, at) => {
        const name = `gateway-${at + 1}`;
        return `    server ${name} 127.0.0.1:${one}${more.replaceAll('gateway-1', name)}\n`;
      });
      const names = `    http-response set-header ${SERVED_BY} %s\n    http-response set-header ${BACKEND} %b\n`;
      return names + each.join('');
    };
    const text = readFileSync(CONFIGURATION, 'utf8')
      // As many as the limit of open files permits, which may be low here.
      .replace('maxconn 10000', 'maxconn 500')
      // Asks four times as often, so that stops need not be waited for as long. A gateway has as long to answer as ever.
      .replaceAll('inter 2s', 'inter 500ms')
      .replace('fastinter 500ms', 'fastinter 125ms')
      .replace('timeout connect 2s', '$&\n    timeout check 2s')
      .replace(/^ {4}bind :26405$/m, `    bind 127.0.0.1:${port}`)
      .replaceAll(' resolvers container_names init-addr last,libc,none', '')
      .replace(/(?:^ {4}server .*\n)+/gm, servers);
    writeFileSync(file, text);
    const child = spawn('haproxy', ['-q', '-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] });
    const balancer = new Balancer(child, folder, `http://127.0.0.1:${port}/v1`);
    try {
      await eventually(PATIENCE_MS, () => fetch(balancer.baseUrl));
      return balancer;
    } catch (error) {
      await balancer.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
    rmSync(this.folder, { recursive: true });
  }
}

/** Below those that systems give to servers and clients that ask for any port; each process begins at another one. */
let candidate = 20_000 + (process.pid % 10_000);

/** A port of loopback that nobody uses, and that nobody is given who asks for any. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = candidate++;
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (isFree) {
      probe.close();
      await once(probe, 'close');
      return port;
    }
  }
}
