import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { PendingAnswers } from './http/pending-answers.js';
import { type SandboxAdmin, type SwitchScope } from './http/sandbox-admin.js';
import { SandboxExchanges } from './http/sandbox-exchanges.js';
import { SandboxHttp } from './http/sandbox-http.js';
import { SandboxIntake } from './http/sandbox-intake.js';
import { SandboxLogin } from './http/sandbox-login.js';
import { SandboxPages } from './http/sandbox-pages.js';
import { SandboxSockets } from './http/sandbox-sockets.js';
import { isMarkersOnly, parseMarkers } from './model/sandbox-script.js';
import { defaultAccounts, type SandboxAccount, SandboxAccounts } from './state/sandbox-accounts.js';
import { DEFAULT_FEATURES, type SandboxFeatures } from './state/sandbox-features.js';
import { SandboxLoginSteps } from './state/sandbox-login-steps.js';
import { type PromptRecord, SandboxRecords } from './state/sandbox-records.js';
import { SandboxSessions } from './state/sandbox-sessions.js';
import { SandboxSwitches } from './state/sandbox-switches.js';

export interface SandboxSiteOptions {
  /** By default three accounts, with passwords derived from the secret. */
  readonly accounts?: readonly SandboxAccount[];
  /** Signs logins; the same secret keeps logins and default passwords across a restart. Random by default. */
  readonly secret?: string;
  /** Random by default. */
  readonly adminToken?: string;
  /** Port on 127.0.0.1; 0, the default, picks a free one. */
  readonly port?: number;
  /** Model names to choose from on the chat page; `svc-max` and `svc-plus` by default. */
  readonly models?: readonly string[];
  readonly features?: Partial<SandboxFeatures>;
  /** Number of prompts kept in `records`; 1000 by default. */
  readonly recordLimit?: number;
  /** Whether each record keeps the time of every piece; false by default. */
  readonly keepPieceTimes?: boolean;
}

/**
 * The built-in chat site: log in, ask, read a streamed answer. It serves itself on a loopback port and knows nothing
 * of the gateway, which drives it through a browser like any other site. Markers in a prompt, or the admin call,
 * make it behave as badly as real sites do.
 */
export class SandboxSite implements SandboxAdmin {
  readonly adminToken: string;
  private readonly accountList: SandboxAccounts;
  private readonly sessions: SandboxSessions;
  private readonly loginSteps: SandboxLoginSteps;
  private readonly switches = new SandboxSwitches();
  private readonly recordList: SandboxRecords;
  private readonly pending = new PendingAnswers();
  private readonly closing = new AbortController();
  private features: SandboxFeatures;
  private server: Server | undefined;

  constructor(private readonly options: SandboxSiteOptions = {}) {
    const secret = options.secret ?? randomBytes(32).toString('base64url');
    this.adminToken = options.adminToken ?? randomBytes(24).toString('base64url');
    this.accountList = new SandboxAccounts(options.accounts ?? defaultAccounts(secret));
    this.sessions = new SandboxSessions(secret);
    this.loginSteps = new SandboxLoginSteps(secret);
    this.features = { ...DEFAULT_FEATURES, ...options.features };
    this.recordList = new SandboxRecords({
      limit: options.recordLimit ?? 1000,
      keepPieceTimes: options.keepPieceTimes ?? false,
    });
  }

  get accounts(): readonly SandboxAccount[] {
    return this.accountList.list;
  }

  /** Oldest first. */
  get records(): readonly PromptRecord[] {
    return this.recordList.list;
  }

  /** Submissions of each account's login form, by result. */
  get logins(): SandboxAccounts['logins'] {
    return this.accountList.logins;
  }

  /** Listens, and returns the site's origin, e.g. `http://127.0.0.1:40123`. May be called once. */
  async start(): Promise<string> {
    const pages = await SandboxPages.read();
    const { accountList: accounts, sessions, recordList: records, pending } = this;
    const models = this.options.models ?? ['svc-max', 'svc-plus'];
    const exchanges = new SandboxExchanges({ accounts, sessions, records, pages }, this.switches);
    const intake = new SandboxIntake(accounts, sessions, exchanges, pages, models);
    const sockets = new SandboxSockets(intake);
    const features = () => this.features;
    const closing = this.closing.signal;
    const { loginSteps: steps } = this;
    const login = new SandboxLogin({ accounts, sessions, steps, intake, pages, closing, features });
    const http = new SandboxHttp({
      ...{ accounts, sessions, intake, login, pending, pages, models, features },
      admin: this,
      adminToken: this.adminToken,
    });
    this.closing.signal.addEventListener('abort', () => {
      pending.close();
      exchanges.close();
      sockets.close();
    });
    this.server = createServer((request, response) => void http.handle(request, response));
    this.server.on('upgrade', (request, socket, head) => sockets.accept(request, socket, head));
    this.server.listen(this.options.port ?? 0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Ends every running answer and closes every connection. May be called twice. */
  async close(): Promise<void> {
    this.closing.abort();
    if (this.server?.listening) {
      const closed = once(this.server, 'close');
      this.server.close();
      this.server.closeAllConnections();
      await closed;
    }
  }

  /** The first record that fits, now or later. Rejects when the signal aborts. */
  whenRecord(fits: (record: PromptRecord) => boolean, signal: AbortSignal): Promise<PromptRecord> {
    return this.recordList.when(fits, signal);
  }

  setSwitches(markers: string, { account, prompts = Infinity }: SwitchScope = {}): void {
    if (!isMarkersOnly(markers)) {
      throw new TypeError(`Not markers: ${markers}`);
    }
    this.switches.set(parseMarkers(markers), account, prompts);
  }

  clearSwitches(account?: string): void {
    this.switches.clear(account);
    for (const { name } of this.accounts) {
      if (account === undefined || account === name) {
        this.accountList.unblock(name);
        this.accountList.setLocked(name, false);
      }
    }
  }

  setFeatures(features: Partial<SandboxFeatures>): void {
    this.features = { ...this.features, ...features };
  }

  lock(account: string): void {
    this.accountList.setLocked(account, true);
    this.sessions.revokeAll(account);
  }

  logOutEverywhere(account: string): void {
    this.sessions.revokeAll(account);
  }

  report(): { prompts: readonly PromptRecord[]; logins: object } {
    return { prompts: this.records, logins: Object.fromEntries(this.logins) };
  }
}
