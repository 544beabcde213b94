import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { projectFolder } from '../../src/common/files/project-folder.js';

const run = promisify(execFile);
const CHECK = join(projectFolder(), 'scripts', 'healthcheck.mjs');

let server: Server;
let status: number;
let asked: string[];
let folder: string;

beforeEach(async () => {
  [status, asked] = [200, []];
  folder = mkdtempSync(join(tmpdir(), 'gateway-check-'));
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  server.close();
});

function check(host: string, ...states: string[]): Promise<unknown> {
  const { port } = server.address() as AddressInfo;
  const env = { HOST: host, PORT: String(port) };
  return run(process.execPath, [CHECK, ...states], { cwd: folder, env });
}

describe('the health check of the image', () => {
  it('asks the gateway that runs, whatever is saved for the next start', async () => {
    writeFileSync(join(folder, 'config.json'), '{"PORT": 1, "unknown": true}');
    await check('0.0.0.0');
    await check('127.0.0.1', 'ready');
    expect(asked).toEqual(['/health/live', '/health/ready']);
  });

  it('fails where the gateway says so, or is not there', async () => {
    status = 503;
    await expect(check('127.0.0.1', 'ready')).rejects.toMatchObject({ code: 1 });
    await expect(check('127.0.0.2')).rejects.toMatchObject({ code: 1 });
  });

  it('finds in the environment where the gateway listens, which nothing saved can change', () => {
    const dockerfile = readFileSync(join(projectFolder(), 'Dockerfile'), 'utf8');
    const [environment = ''] = /^ENV (?:.*\\\n)*.*/m.exec(dockerfile) ?? [];
    expect(environment).toMatch(/\bHOST=0\.0\.0\.0 /);
    expect(environment).toMatch(/\bPORT=26405 /);
  });
});
