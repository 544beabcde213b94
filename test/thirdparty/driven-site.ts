import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import OpenAI from 'openai';
import { SessionPool } from '../../src/accounts/pool/session-pool.js';
import { AccountCommands } from '../../src/accounts/registry/account-commands.js';
import { AccountRegistry } from '../../src/accounts/registry/account-registry.js';
import { SystemClock } from '../../src/common/time/clock.js';
import { startGateway, type TestGateway } from '../support/gateway/gateway.js';
import { PacedModel, type UserOf } from './paced-model.js';
import { type SiteProcess } from './site-process.js';

export const SITE_USERS: readonly string[] = ['alice', 'bob', 'carol'];
const SESSIONS_PER_ACCOUNT = 2;
const clock = new SystemClock();

export function passwordOf(user: string): string {
  return `${user}'s "secret" pass/word`;
}

export interface DrivableSite {
  /** Name of its shipped recipe. */
  readonly recipe: string;
  /** Installs the site if need be, and starts it with users of `SITE_USERS` and a model behind it. */
  readonly start: (modelUrl: string) => Promise<SiteProcess>;
  /** Login name of a user; default: the name. */
  readonly loginName?: (user: string) => string;
  /** Reads the user from a request to its model; default: by a key of each user's own. */
  readonly userOf?: UserOf;
}

export interface SiteAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly finish: string | null | undefined;
}

/** A chat site, the model behind it and the gateway before it, with an account for each of the site's users. */
export class DrivenSite {
  private readonly client: OpenAI;

  private constructor(
    readonly model: PacedModel,
    readonly site: SiteProcess,
    private readonly gateway: TestGateway,
    readonly loginName: (user: string) => string,
  ) {
    this.client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: 'none', maxRetries: 0 });
  }

  static async start({
    recipe,
    start,
    loginName = (user) => user,
    userOf,
  }: DrivableSite): Promise<DrivenSite> {
    const model = await PacedModel.start(userOf);
    const opened: { close(): Promise<void> }[] = [model.stub];
    try {
      const site = await start(model.stub.baseUrl);
      opened.unshift({ close: () => site.stop() });
      const gateway = await startGatewayFor(recipe, site);
      opened.unshift(gateway);
      const driven = new DrivenSite(model, site, gateway, loginName);
      await driven.addAccounts();
      return driven;
    } catch (error) {
      for (const resource of opened) {
        await resource.close();
      }
      throw error;
    }
  }

  get stats(): ReturnType<SessionPool['stats']> {
    return this.gateway.app.get(SessionPool).stats();
  }

  /** States of the accounts, in the order of the users. */
  get states(): string[] {
    const { registry } = this;
    return registry.list().map((account) => account.stateAt(clock.monotonic()));
  }

  get registry(): AccountRegistry {
    return this.gateway.app.get(AccountRegistry);
  }

  get commands(): AccountCommands {
    return this.gateway.app.get(AccountCommands);
  }

  /** Asks for a streamed answer. Rejects as the client does, also if the stream ends with an error. */
  async stream(content: string, onText?: () => void, signal?: AbortSignal): Promise<SiteAnswer> {
    const [text, reasoning]: [string[], string[]] = [[], []];
    let finish: SiteAnswer['finish'];
    const chunks = await this.client.chat.completions.create(
      { model: 'svc-max', messages: [{ role: 'user', content }], stream: true },
      { signal },
    );
    for await (const { choices } of chunks) {
      const delta = choices[0]?.delta as { content?: string; reasoning_content?: string } | undefined;
      text.push(delta?.content ?? '');
      reasoning.push(delta?.reasoning_content ?? '');
      finish = choices[0]?.finish_reason ?? finish;
      if (delta?.content) {
        onText?.();
      }
    }
    return { text: text.join(''), reasoning: reasoning.join(''), finish };
  }

  /** Asks for an answer in one piece. */
  async complete(content: OpenAI.ChatCompletionUserMessageParam['content']): Promise<SiteAnswer> {
    const { choices } = await this.client.chat.completions.create({
      model: 'svc-max',
      messages: [{ role: 'user', content }],
    });
    const message = choices[0]?.message as { content?: string; reasoning_content?: string } | undefined;
    return {
      text: message?.content ?? '',
      reasoning: message?.reasoning_content ?? '',
      finish: choices[0]?.finish_reason,
    };
  }

  /** Waits until a condition holds; rejects after two minutes. */
  async until(condition: () => boolean, limitMs = 120_000): Promise<void> {
    const deadline = performance.now() + limitMs;
    while (!condition()) {
      if (performance.now() > deadline) {
        const failures = this.registry.list().map(({ loginFailure }) => loginFailure?.message ?? '');
        const found = [...this.states, ...failures].join();
        throw new Error(`not so after ${limitMs} ms: ${condition.toString()}; ${found}`);
      }
      await pause(10);
    }
  }

  private async addAccounts(): Promise<void> {
    for (const user of SITE_USERS) {
      await this.commands.add(null, user, { user: this.loginName(user), password: passwordOf(user) });
    }
    await this.until(() => this.stats.idle >= SITE_USERS.length);
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await this.site.stop();
    await this.model.stub.close();
  }
}

async function startGatewayFor(recipe: string, { origin, folder }: SiteProcess): Promise<TestGateway> {
  const shipped = JSON.parse(await readFile(`recipes/${recipe}.json`, 'utf8')) as object;
  const file = join(folder, 'recipe.json');
  await writeFile(file, JSON.stringify({ ...shipped, origin }));
  return startGateway({
    PROVIDER: 'web',
    DATA_DIR: join(folder, 'gateway'),
    SITE_RECIPE: file,
    POOL_MIN_SESSIONS: 3,
    // A megabyte takes a page of some sites a minute of a busy machine.
    UPSTREAM_FIRST_BYTE_MS: 240_000,
    POOL_MAX_SESSIONS_PER_ACCOUNT: SESSIONS_PER_ACCOUNT,
    POOL_ACQUIRE_TIMEOUT_MS: 240_000,
    POOL_IDLE_MS: 600_000,
  });
}
