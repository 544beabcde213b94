import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';

/*
 * Runs a PostgreSQL server for as long as its parent lives:
 * `node postgres-keeper.mjs <folder of the programs> <folder> [<port of the server whose standby it is to be>]`.
 * The server ends, and its folder is removed, once standard input ends, which it does however the parent dies. When the
 * server is up, its port is written to standard output.
 */
const [programs, folder, primary] = process.argv.slice(2);
const data = join(folder, 'data');

/** Nothing of a test has to outlive the machine, so nothing is forced to the disk. */
const OPTIONS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  shared_buffers: '16MB',
  max_connections: '60',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  autovacuum: 'off',
};

const common = ['-D', data, '-U', 'gateway', '--no-sync'];
const [program, ...args] = primary
  ? ['pg_basebackup', ...common, '-h', '127.0.0.1', '-p', primary, '-c', 'fast', '--write-recovery-conf']
  : ['initdb', ...common, '-A', 'trust', '-E', 'UTF8', '--locale=C'];
execFileSync(join(programs, program), args, { stdio: ['ignore', 'ignore', 'inherit'] });
let server;
let isUp = false;
process.stdin.on('end', () => end(0)).resume();
// Whoever interrupts the tests signals this process, too; it ends after them, and cleans up.
['SIGINT', 'SIGTERM', 'SIGHUP'].forEach((signal) => process.on(signal, () => undefined));
// The port is free when it is drawn, and may be taken a moment later.
for (let tries = 1; tries <= 5 && !isUp; tries += 1) {
  const port = await freePort();
  const options = Object.entries({ ...OPTIONS, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  server = spawn(join(programs, 'postgres'), ['-D', data, ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  isUp = await isReady(server);
  if (isUp) {
    process.stdout.write(`${port}\n`);
  }
}
if (!isUp) {
  end(1);
}

async function isReady(child) {
  let text = '';
  const { promise, resolve } = Promise.withResolvers();
  child.stderr.setEncoding('utf8').on('data', (piece) => {
    if (!isUp) {
      text += piece;
    }
    if (/ready to accept (read-only )?connections/.test(text)) {
      resolve(true);
    }
  });
  child.once('exit', () => resolve(false));
  return promise;
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

function end(code) {
  const finish = () => {
    rmSync(folder, { recursive: true, force: true });
    process.exit(code);
  };
  if (!server || server.exitCode !== null || server.signalCode !== null) {
    finish();
    return;
  }
  server.once('exit', finish);
  // Ends at once, without a last checkpoint.
  server.kill('SIGQUIT');
}
