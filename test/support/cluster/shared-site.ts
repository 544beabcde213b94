import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { SandboxSite, type SandboxSiteOptions } from '../../../src/sandbox/sandbox-site.js';
import { type ChildGateway } from '../gateway/child-gateway.js';

/** A chat site in this process, with a recipe for gateways that are processes of their own. */
export class SharedSite {
  private constructor(
    readonly sandbox: SandboxSite,
    private readonly folder: string,
  ) {}

  /** @param changes of the sandbox's recipe */
  static async start(options: SandboxSiteOptions = {}, changes: object = {}): Promise<SharedSite> {
    const site = new SharedSite(new SandboxSite(options), await mkdtemp(join(tmpdir(), 'gateway-recipe-')));
    const recipe = JSON.parse(readFileSync('recipes/sandbox.json', 'utf8')) as object;
    const origin = await site.sandbox.start();
    writeFileSync(site.recipe, JSON.stringify({ ...recipe, ...changes, $schema: undefined, origin }));
    return site;
  }

  /** With which a gateway uses the site. */
  get settings(): Record<string, string> {
    return { PROVIDER: 'web', SITE_RECIPE: this.recipe };
  }

  /** Logins that the site has accepted, account by account. */
  get logins(): number[] {
    return this.sandbox.accounts.map(({ name }) => this.sandbox.logins.get(name)?.ok ?? 0);
  }

  /** Adds all accounts of the site at a gateway, one after the other. */
  async addAccounts({ baseUrl }: Pick<ChildGateway, 'baseUrl'>): Promise<void> {
    for (const { name, password } of this.sandbox.accounts) {
      const { status } = await fetch(new URL('/dashboard/api/accounts', baseUrl), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name, credentials: { user: name, password } }),
      });
      expect(status).toBe(201);
    }
  }

  async close(): Promise<void> {
    await this.sandbox.close();
    await rm(this.folder, { recursive: true });
  }

  private get recipe(): string {
    return join(this.folder, 'site.json');
  }
}
