import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { projectFolder } from '../../src/common/files/project-folder.js';
import { ChildGateway } from '../support/gateway/child-gateway.js';
import { createUsedDatabase } from '../support/postgres/postgres-server.js';
import { OpenAiStub } from '../support/upstream/openai-stub.js';
import { answer, jsonAnswer } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const BUILD_LIMIT_MS = 5 * 60_000;
/** Requests under which the smallest container must hold. */
const STREAMS = 200;
const LARGE_PROMPTS = 8;
const LARGE_PROMPT_BYTES = 2 ** 20;
const LOG_READS = 12;

const project = projectFolder();
const dockerfile = readFileSync(join(project, 'Dockerfile'), 'utf8');
const run = promisify(execFile);
/** Stands for `/app` in the image. */
let app: string;
let data: string;
let gateway: ChildGateway | undefined;

beforeAll(async () => {
  app = mkdtempSync(join(tmpdir(), 'gateway-image-'));
  copyContext();
  symlinkSync(join(project, 'node_modules'), join(app, 'node_modules'));
  leaveTypesUnchecked();
  const [, commands = ''] = /^RUN (npm run build[^]*?[^\\])\n/m.exec(dockerfile) ?? [];
  for (const command of commands.split(/\s*\\\n\s*&& /)) {
    // The packages are those of this project, which needs all of them.
    if (!command.startsWith('npm prune')) {
      await run('sh', ['-c', command], { cwd: app });
    }
  }
  await run(process.execPath, ['dist/compile-ahead.js'], { cwd: app });
}, BUILD_LIMIT_MS);
afterAll(() => rmSync(app, { recursive: true, force: true }));
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'gateway-image-data-'));
});
afterEach(async () => {
  await gateway?.kill();
  rmSync(data, { recursive: true, force: true });
});

/** Copies what `.dockerignore` lets through. */
function copyContext(): void {
  const lines = readFileSync(join(project, '.dockerignore'), 'utf8').split('\n');
  const taken = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  for (const name of taken) {
    cpSync(join(project, name), join(app, name), { recursive: true });
  }
  const dropped = lines.filter((line) => line.startsWith('**/'));
  globSync(dropped, { cwd: app }).forEach((name) => rmSync(join(app, name)));
}

/** That is `npm run check`'s, and takes half of the compiler's time. */
function leaveTypesUnchecked(): void {
  const file = join(app, 'tsconfig.build.json');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('"compilerOptions": {', '$& "noCheck": true,'));
}

/** Starts the gateway with the image's command. */
async function start(environment: Record<string, string>): Promise<ChildGateway> {
  const [, command = '[]'] = /^CMD (\[.*"\/app\/.*\])$/m.exec(dockerfile) ?? [];
  const [, ...program] = (JSON.parse(command) as string[]).map((part) => part.replace('/app', app));
  gateway = await ChildGateway.start({ ...environment, DATA_DIR: data }, undefined, program);
  return gateway;
}

/** Paths that are asked for. */
async function startCollector(asked: string[]): Promise<Server> {
  const collector = createServer((request, response) => {
    asked.push(request.url ?? '');
    request.resume().on('end', () => response.end('{}'));
  });
  await once(collector.listen(0, '127.0.0.1'), 'listening');
  return collector;
}

describe('the image', () => {
  it('imports no package that is pruned from it', () => {
    const lock = JSON.parse(readFileSync(join(app, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { dev?: true; optional?: true; devOptional?: true }>;
    };
    const files = globSync('dist/bundle/*.js', { cwd: app }).map((name) =>
      readFileSync(join(app, name), 'utf8'),
    );
    const imported = files.flatMap((text) => [
      ...text.matchAll(/from "[^"]*\/(node_modules\/(?:@[^/]+\/)?[^/]+)/g),
    ]);
    const names = new Set(imported.map(([, name = '']) => name));
    const isKept = (name: string): boolean => {
      const { dev, optional, devOptional } = lock.packages[name] ?? { dev: true };
      return !(dev ?? optional ?? devOptional ?? false);
    };
    expect(names).toContain('node_modules/express');
    expect([...names].filter((name) => !isKept(name))).toEqual([]);
  });

  it('drives a browser, serves the built dashboard, and is found healthy', async () => {
    const { baseUrl } = await start({ PROVIDER: 'sandbox' });
    await gateway?.ask();
    const { origin, port } = new URL(baseUrl);
    const page = await (await fetch(`${origin}/dashboard`)).text();
    const [, script = ''] = /<script type="module"[^>]* src="([^"]*\/built\/[^"]+)"/.exec(page) ?? [];
    const { status, headers } = await fetch(`${origin}${script}`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    const check = join(app, 'scripts', 'healthcheck.mjs');
    const env = { ...process.env, PORT: port, DATA_DIR: data };
    const asked = (...states: string[]) => run(process.execPath, [check, ...states], { cwd: data, env });
    await Promise.all([asked(), asked('ready')]);
    await expect(asked('nowhere')).rejects.toThrow();
  });

  it('serves an API on a shared database, and exports traces', async () => {
    const asked: string[] = [];
    const [stub, database, collector] = await Promise.all([
      OpenAiStub.start(),
      createUsedDatabase(),
      startCollector(asked),
    ]);
    try {
      stub.answerWith(jsonAnswer({ role: 'assistant', content: 'hello' }));
      stub.listModels({ id: 'listed-by-upstream' });
      const { baseUrl } = await start({
        PROVIDER: 'openai',
        UPSTREAM_BASE_URL: stub.baseUrl,
        UPSTREAM_API_KEYS: 'k1',
        DATABASE_URL: database.url,
        SECRET_KEY: 'one secret for all',
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      });
      await eventually(PATIENCE_MS, async () => {
        expect((await fetch(new URL('/health/ready', baseUrl))).status).toBe(200);
      });
      const id = await gateway?.ask();
      const { entries } = (await (await fetch(new URL('/log/json', baseUrl))).json()) as {
        entries: { id: string; outcome: string; node?: string }[];
      };
      expect(entries).toMatchObject([{ id, outcome: 'ok', node: expect.any(String) }]);
      await eventually(PATIENCE_MS, () => expect(new Set(asked)).toEqual(new Set(['/v1/traces'])));
      const models = (await (await fetch(`${baseUrl}/models`)).json()) as { data: { id: string }[] };
      expect(models.data.map((model) => model.id)).toEqual(['listed-by-upstream']);
    } finally {
      await gateway?.kill();
      await Promise.all([stub.close(), database.drop()]);
      collector.close();
    }
  });

  it('serves streams, large prompts and reads of the log within the memory of the smallest container', async () => {
    const stub = await OpenAiStub.start();
    try {
      stub.answerWith(answer({ pieces: 50, intervalMs: 20 }));
      const { settings, mebibytes } = smallestContainer();
      const { baseUrl, pid } = await start({
        PROVIDER: 'openai',
        UPSTREAM_BASE_URL: stub.baseUrl,
        UPSTREAM_API_KEYS: 'k1',
        POOL_MAX_SESSIONS: String(STREAMS),
        POOL_MAX_SESSIONS_PER_ACCOUNT: String(STREAMS),
        // Large prompts wait for each other here for longer than by default on a slow machine.
        POOL_ACQUIRE_TIMEOUT_MS: '60000',
        MALLOC_ARENA_MAX: '2',
        ...settings,
      });
      const complete = async (content: string): Promise<unknown[]> => {
        const response = await fetch(`${baseUrl}/chat/completions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'svc-max', messages: [{ role: 'user', content }] }),
        });
        return [response.status, (await response.text()).endsWith('data: [DONE]\n\n')];
      };
      const completeAll = (count: number, content: string) =>
        Promise.all(Array.from({ length: count }, () => complete(content)));
      const answers = await completeAll(STREAMS, 'hi');
      answers.push(...(await completeAll(LARGE_PROMPTS, 'a long file '.repeat(LARGE_PROMPT_BYTES / 12))));
      const reads = await Promise.all(
        Array.from({ length: LOG_READS }, () => fetch(new URL('/log/json?limit=100', baseUrl))),
      );
      expect(answers).toEqual(answers.map(() => [200, true]));
      expect(reads.map(({ status }) => status)).toEqual(reads.map(() => 200));
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      const kibibytes = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]);
      // Where memory is short, the kernel drops the program's files.
      expect((kibibytes('VmHWM') - kibibytes('RssFile')) / 1024).toBeLessThan(mebibytes);
    } finally {
      await gateway?.kill();
      await stub.close();
    }
  });
});

/** What `docs/operate.md` says of it. */
function smallestContainer(): { settings: Record<string, string>; mebibytes: number } {
  const text = readFileSync(join(project, 'docs', 'operate.md'), 'utf8');
  const [, mebibytes, options = '', limit = ''] =
    /smallest container is one of (\d+) MB, with\s+`NODE_OPTIONS="([^"]+)"` and `BODY_LIMIT=(\w+)`/.exec(
      text,
    ) ?? [];
  return { settings: { NODE_OPTIONS: options, BODY_LIMIT: limit }, mebibytes: Number(mebibytes) };
}
