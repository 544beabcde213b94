import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { SessionPool } from '../../src/accounts/pool/session-pool.js';
import { type Account } from '../../src/accounts/registry/account.js';
import { AccountCommands } from '../../src/accounts/registry/account-commands.js';
import { AccountRegistry } from '../../src/accounts/registry/account-registry.js';
import { SystemClock } from '../../src/common/time/clock.js';
import { type UpstreamAccount } from '../../src/upstream/upstream-driver.js';
import { loadRecipe } from '../../src/upstream/web/recipe/recipe-loader.js';
import { WebDriver } from '../../src/upstream/web/web-driver.js';
import { startGateway, type TestGateway } from '../support/gateway/gateway.js';
import { type BrowserMemory, browserMemory } from './browser-memory.js';
import { describeSite } from './describe-site.js';
import { passwordOf, SITE_USERS } from './driven-site.js';
import { installPackage } from './npm-package.js';
import { PacedModel } from './paced-model.js';
import { SillyTavernClient, type TavernUser } from './sillytavern-client.js';
import { type SiteProcess } from './site-process.js';
import { startSillyTavern } from './start-sillytavern.js';
import { describeTimes } from './timings.js';

/*
 * SillyTavern is licensed under the AGPL. It is driven here as any visitor's browser would drive it; it is no
 * dependency of this project, and nothing of it is in the repository: the test installs it into the user's cache.
 */
const VERSION = '1.19.0';
/** Two for each account: one can load its next page while another serves. */
const SESSIONS = 4;
const INSTALL_LIMIT_MS = 15 * 60_000;
/** Each page of this site takes a machine with two cores seconds to load, and a busy one ten times as long. */
const TEN_LIMIT_MS = 10 * 60_000;

const ALL_USERS: readonly TavernUser[] = SITE_USERS.map((handle) => ({
  handle,
  password: passwordOf(handle),
  modelKey: `key-of-${handle}`,
}));
const USERS = ALL_USERS.slice(0, 2);

interface Arrival {
  readonly text: string;
  readonly at: number;
}

interface Streamed {
  readonly text: string;
  readonly reasoning: string;
  readonly usage: OpenAI.CompletionUsage | undefined;
  readonly finish: string | null | undefined;
  readonly startedAt: number;
  readonly arrivals: readonly Arrival[];
}

describe(`SillyTavern ${VERSION} with two accounts behind the gateway`, () => {
  let packageFolder: string;
  let model: PacedModel;
  let tavern: SiteProcess;
  let gateway: TestGateway;
  let registry: AccountRegistry;
  let commands: AccountCommands;
  let pool: SessionPool;
  let client: OpenAI;

  beforeAll(async () => {
    packageFolder = await installPackage('sillytavern', VERSION);
    model = await PacedModel.start();
    tavern = await startSillyTavern(packageFolder);
    await setUpUsers(tavern, model.stub.baseUrl, USERS);
    gateway = await startGateway({
      PROVIDER: 'web',
      DATA_DIR: join(tavern.folder, 'gateway'),
      SITE_RECIPE: await recipeFor(tavern),
      POOL_MIN_SESSIONS: 4,
      POOL_MAX_SESSIONS_PER_ACCOUNT: SESSIONS / 2,
      POOL_ACQUIRE_TIMEOUT_MS: 90_000,
      POOL_IDLE_MS: 600_000,
    });
    registry = gateway.app.get(AccountRegistry);
    commands = gateway.app.get(AccountCommands);
    pool = gateway.app.get(SessionPool);
    client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: 'none', maxRetries: 0 });
    const before = performance.now();
    for (const { handle, password } of USERS) {
      await commands.add(null, handle, { user: handle, password });
    }
    await until(() => idle(handleOf(0)) > 0 && idle(handleOf(1)) > 0);
    print(`both accounts logged in and warm after ${Math.round(performance.now() - before)} ms`);
  }, INSTALL_LIMIT_MS);

  afterAll(async () => {
    await gateway?.close();
    await tavern?.stop();
    await model?.stub.close();
    expect((await browserMemory()).processes).toBe(0);
  }, 60_000);

  it(
    'streams ten completions with reasoning, over both accounts',
    async () => {
      const added: number[] = [];
      const firstToken: number[] = [];
      const nextPage: number[] = [];
      const prompts = Array.from({ length: 10 }, (_, index) => `Question ${index}: {{user}}, what is 1 < 2?`);
      await until(() => pool.stats().idle === SESSIONS);
      const memory = await browserMemory();
      for (const prompt of prompts) {
        const pagesBefore = model.pageLoads.length;
        const answer = await stream(prompt);
        const endedAt = performance.now();
        expect({ text: answer.text, reasoning: answer.reasoning }).toEqual(PacedModel.expected(prompt));
        expect(answer.finish).toBe('stop');
        expect(answer.usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 55 });
        firstToken.push((answer.arrivals[0]?.at ?? NaN) - answer.startedAt);
        added.push(...delays(answer.arrivals));
        // The page for a later prompt takes seconds of this machine, which would show in the times of the next answer.
        await until(() => model.pageLoads.length > pagesBefore);
        nextPage.push((model.pageLoads.at(-1) ?? NaN) - endedAt);
      }
      const asked = model.prompts.slice(-prompts.length);
      expect(asked.map(({ body }) => body.messages)).toEqual(
        prompts.map((content) => [{ role: 'user', content }]),
      );
      expect(new Set(asked.map(({ key }) => key))).toEqual(new Set(USERS.map(({ modelKey }) => modelKey)));
      print(`first token: ${describeTimes(firstToken)} after the request`);
      print(`each chunk: ${describeTimes(added)} after the model server sent it (${added.length} chunks)`);
      print(`each chunk, SillyTavern without browser and gateway: ${describeTimes(await direct(3))}`);
      print(`the next page is up ${describeTimes(nextPage)} after an answer`);
      print(
        `browser: ${describeMemory(memory)}, after ten completions ${describeMemory(await browserMemory())}`,
      );
    },
    TEN_LIMIT_MS,
  );

  it('passes on a prompt of 200 KB as it is', async () => {
    const line = '/setvar {{user}} {{random::a::b}} <b>"quoted"</b> \\n \t naïve 漢字 🙂\n\n';
    const prompt = `/echo first line\n${line.repeat(Math.ceil(200_000 / Buffer.byteLength(line)))}the end`;
    const answer = await stream(prompt);
    expect(answer.text).toBe(PacedModel.expected(prompt).text);
    const sent = model.prompts.at(-1);
    expect(sent?.body.messages).toEqual([{ role: 'user', content: prompt }]);
    const took = (sent?.receivedAt ?? NaN) - answer.startedAt;
    print(`${Buffer.byteLength(prompt)} bytes of prompt at the model server after ${Math.round(took)} ms`);
  });

  it('chooses the model, and leaves reasoning out for a -no-thinking one', async () => {
    const answer = await stream('Which are you?', 'svc-plus-no-thinking');
    expect(answer.text).toBe(PacedModel.expected('Which are you?').text);
    expect(answer.reasoning).toBe('');
    expect(model.prompts.at(-1)?.body.model).toBe('svc-plus');
  });

  it('goes to the other account when one is rate limited', async () => {
    const [first = '', second = ''] = USERS.map(({ modelKey }) => modelKey);
    const before = model.prompts.length;
    model.limitedUsers.add(USERS[0]?.handle ?? '');
    while (registry.list().every((account) => stateOf(account) === 'ready')) {
      expect((await stream('Are you free?')).text).toBe(PacedModel.expected('Are you free?').text);
    }
    const keys = model.prompts.slice(before).map(({ key }) => key);
    expect(keys.filter((key) => key === first)).toHaveLength(1);
    expect(keys.at(-1)).toBe(second);
    expect(registry.list().map(stateOf)).toEqual(['cooldown', 'ready']);
    model.limitedUsers.clear();
    await commands.clearCooldown(null, handleOf(0));
  });

  it('stops the model server when the caller leaves', async () => {
    const caller = new AbortController();
    const answer = await client.chat.completions.create(
      { model: 'svc-max', messages: [{ role: 'user', content: PacedModel.ENDLESS }], stream: true },
      { signal: caller.signal },
    );
    await answer[Symbol.asyncIterator]().next();
    const request = await model.stub.waitFor(
      ({ body }) => body.messages?.at(-1)?.content === PacedModel.ENDLESS,
    );
    const left = performance.now();
    caller.abort();
    await until(() => request.abortedAt !== undefined && pool.stats().leases === 0, 2000);
    print(`model server stopped ${Math.round((request.abortedAt ?? NaN) - left)} ms after the caller left`);
  });

  it('reports a password that the site does not take', async () => {
    const { id } = await commands.add(null, 'mallory', { user: 'alice', password: 'guessed' });
    await until(() => stateOf(registry.get(id)) === 'login_required');
    expect(registry.get(id).loginFailure).toMatchObject({
      fault: 'invalid_credentials',
      url: `${tavern.origin}/login`,
      title: 'SillyTavern',
      hasScreenshot: true,
    });
    await commands.remove(null, id);
  });

  it('logs in where the server does not show its users', async () => {
    const discreet = await startSillyTavern(packageFolder, true);
    const { settings } = gateway;
    const recipe = await loadRecipe(await recipeFor(discreet));
    const driver = new WebDriver({
      recipe,
      settings: { ...settings, DATA_DIR: discreet.folder },
      clock,
      log: () => undefined,
    });
    try {
      await setUpUsers(discreet, model.stub.baseUrl, USERS);
      const session = await driver.open(accountOf(USERS[0]), AbortSignal.timeout(90_000));
      expect(session.isUsable).toBe(true);
      await session.close();
    } finally {
      await driver.close();
      await discreet.stop();
    }
  });

  async function stream(content: string, name = 'svc-max'): Promise<Streamed> {
    const startedAt = performance.now();
    const arrivals: Arrival[] = [];
    let [text, reasoning] = ['', ''];
    let [usage, finish]: [Streamed['usage'], Streamed['finish']] = [undefined, undefined];
    const chunks = await client.chat.completions.create({
      model: name,
      messages: [{ role: 'user', content }],
      stream: true,
      stream_options: { include_usage: true },
    });
    for await (const { choices, usage: counted } of chunks) {
      const delta = choices[0]?.delta as { content?: string; reasoning_content?: string } | undefined;
      const piece = delta?.content ?? '';
      const thought = delta?.reasoning_content ?? '';
      if (piece !== '' || thought !== '') {
        arrivals.push({ text: piece + thought, at: performance.now() });
      }
      text += piece;
      reasoning += thought;
      usage = counted ?? usage;
      finish = choices[0]?.finish_reason ?? finish;
    }
    return { text, reasoning, usage, finish, startedAt, arrivals };
  }

  /** Delays of the words through SillyTavern without browser and gateway. */
  async function direct(count: number): Promise<number[]> {
    const visitor = new SillyTavernClient(tavern.origin);
    await visitor.logIn(USERS[0]?.handle ?? '', USERS[0]?.password);
    const found: number[] = [];
    for (let index = 0; index < count; index++) {
      const { body } = await visitor.generate(model.stub.baseUrl, 'Hello');
      const arrivals: Arrival[] = [];
      for await (const bytes of body ?? []) {
        const text = Buffer.from(bytes as Uint8Array).toString();
        const words = [...text.matchAll(/"(?:reasoning_)?content":"(\w+) "/g)].map(([, word]) => word);
        arrivals.push({ text: words.join(' '), at: performance.now() });
      }
      found.push(...delays(arrivals));
    }
    return found;
  }

  /** Delays of the words of the last answer, from sending to arrival, in milliseconds. */
  function delays(arrivals: readonly Arrival[]): number[] {
    return arrivals.flatMap(({ text, at }) =>
      text
        .split(' ')
        .map((word) => at - (model.sentAt.get(word) ?? NaN))
        .filter((delay) => !Number.isNaN(delay)),
    );
  }

  function handleOf(index: number): string {
    return registry.list()[index]?.id ?? '';
  }

  function idle(accountId: string): number {
    return pool.stats().accounts[accountId]?.idle ?? 0;
  }
});

describeSite(`SillyTavern ${VERSION}`, {
  recipe: 'sillytavern',
  hasReasoning: true,
  start: async (modelUrl) => {
    const site = await startSillyTavern(await installPackage('sillytavern', VERSION));
    try {
      await setUpUsers(site, modelUrl, ALL_USERS);
      return site;
    } catch (error) {
      await site.stop();
      throw error;
    }
  },
  // Its logins are cookies that are signed with a secret of its own making.
  runWithoutLogins: async (site) => {
    await rm(join(site.folder, 'data', 'cookie-secret.txt'));
    await site.run();
  },
});

const clock = new SystemClock();

function stateOf(account: Account): string {
  return account.stateAt(clock.monotonic());
}

async function setUpUsers(
  tavern: SiteProcess,
  modelUrl: string,
  users: readonly TavernUser[],
): Promise<void> {
  const administrator = new SillyTavernClient(tavern.origin);
  await administrator.logIn('default-user');
  for (const user of users) {
    await administrator.createUser(user);
    const visitor = new SillyTavernClient(tavern.origin);
    await visitor.logIn(user.handle, user.password);
    await visitor.connect(modelUrl, user.modelKey);
  }
}

function accountOf({ handle = '', password = '' }: Partial<TavernUser> = {}): UpstreamAccount {
  return {
    id: handle,
    name: handle,
    login: 0,
    credentials: { user: handle, password },
    loadState: () => Promise.resolve(undefined),
    saveState: () => undefined,
  };
}

/** A copy of the shipped recipe for a server at another address. */
async function recipeFor({ origin, folder }: SiteProcess): Promise<string> {
  const recipe = JSON.parse(await readFile('recipes/sillytavern.json', 'utf8')) as object;
  const file = join(folder, 'recipe.json');
  await writeFile(file, JSON.stringify({ ...recipe, origin }));
  return file;
}

async function until(condition: () => boolean, limitMs = 90_000): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!condition()) {
    if (performance.now() > deadline) {
      throw new Error(`not so after ${limitMs} ms: ${condition.toString()}`);
    }
    await pause(10);
  }
}

function describeMemory({ megabytes, processes }: BrowserMemory): string {
  return `${megabytes} MB in ${processes} processes`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
