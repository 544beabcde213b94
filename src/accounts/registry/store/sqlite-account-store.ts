import { Injectable } from '@nestjs/common';
import { Database } from '../../../common/store/database.js';
import { sealContext } from '../../../common/store/resealing.js';
import { SecretBox } from '../../../common/store/secret-box.js';
import { type Account, type AccountSource, type Credentials, type LoginFailure } from '../account.js';
import { type StoredCooldown } from '../cooldown.js';
import {
  AccountStore,
  type AccountWrite,
  type CountsBatch,
  type CountsWrite,
  type StoredAccount,
} from './account-store.js';
import { fromStoredLoginFailure, toStoredLoginFailure } from './stored-login-failure.js';

/** A row of the table `accounts`. */
interface Row {
  id: string;
  name: string;
  source: AccountSource;
  is_present: number;
  is_enabled: number;
  credentials: Uint8Array;
  cooldown: string | null;
  login_required: string | null;
  requests: number;
  failures: number;
  rate_limits: number;
  created_at: number;
  last_used_at: number | null;
  last_login_at: number | null;
}

/** The accounts in the embedded store. An operator's writes wait for another process that holds it. */
@Injectable()
export class SqliteAccountStore extends AccountStore {
  override readonly countsDelayMs = 200;
  private readonly statements;

  constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
  ) {
    super();
    const prepare = (sql: string) => database.prepare(sql);
    this.statements = {
      list: prepare(
        `SELECT id, name, source, is_present, is_enabled, credentials, cooldown, login_required, requests,
           failures, rate_limits, created_at, last_used_at, last_login_at
         FROM accounts WHERE provider = ? ORDER BY created_at, name`,
      ),
      insert: prepare(
        `INSERT INTO accounts (id, provider, name, source, is_present, is_enabled, credentials, created_at)
         VALUES (?, ?, ?, ?, 1, 1, ?, ?)`,
      ),
      taken: prepare('SELECT 1 FROM accounts WHERE provider = ? AND name = ? AND is_present = 1'),
      deleteAbsent: prepare('DELETE FROM accounts WHERE provider = ? AND name = ? AND is_present = 0'),
      credentials: prepare(
        `UPDATE accounts SET credentials = ?, driver_state = NULL, login_required = NULL, login_screenshot = NULL,
           cooldown = NULL WHERE id = ?`,
      ),
      presence: prepare('UPDATE accounts SET is_present = ? WHERE id = ?'),
      enabled: prepare('UPDATE accounts SET is_enabled = ? WHERE id = ?'),
      cooldown: prepare('UPDATE accounts SET cooldown = ? WHERE id = ?'),
      login: prepare('UPDATE accounts SET login_required = ?, login_screenshot = ? WHERE id = ?'),
      screenshot: prepare('SELECT login_screenshot AS value FROM accounts WHERE id = ?'),
      driverState: prepare('SELECT driver_state AS value FROM accounts WHERE id = ?'),
      saveDriverState: prepare('UPDATE accounts SET driver_state = ? WHERE id = ?'),
      counters: prepare(
        `UPDATE accounts SET requests = requests + ?, failures = failures + ?, rate_limits = rate_limits + ?,
           last_used_at = coalesce(?, last_used_at), last_login_at = coalesce(?, last_login_at)
         WHERE id = ?`,
      ),
      delete: prepare('DELETE FROM accounts WHERE id = ?'),
    };
  }

  async list(provider: string): Promise<StoredAccount[]> {
    return (this.statements.list.all(provider) as unknown as Row[]).map((row) => this.fromRow(row));
  }

  async insert(account: Account, provider: string): Promise<boolean> {
    const { id, name, source, createdAt } = account;
    const credentials = this.sealCredentials(id, account.credentials);
    return this.database.patiently(() => {
      if (this.statements.taken.get(provider, name)) {
        return false;
      }
      this.statements.deleteAbsent.run(provider, name);
      this.statements.insert.run(id, provider, name, source, credentials, createdAt);
      return true;
    });
  }

  async saveCredentials(id: string, credentials: Credentials): Promise<void> {
    await this.database.patiently(() =>
      this.statements.credentials.run(this.sealCredentials(id, credentials), id),
    );
  }

  async savePresence(id: string, isPresent: boolean): Promise<void> {
    await this.database.patiently(() => this.statements.presence.run(Number(isPresent), id));
  }

  async saveEnabled(id: string, isEnabled: boolean): Promise<void> {
    await this.database.patiently(() => this.statements.enabled.run(Number(isEnabled), id));
  }

  async clearCooldown(id: string): Promise<void> {
    await this.database.patiently(() => this.statements.cooldown.run(null, id));
  }

  async forgetLogin(id: string): Promise<void> {
    await this.database.patiently(() => {
      this.statements.login.run(null, null, id);
      this.statements.saveDriverState.run(null, id);
    });
  }

  async delete(id: string): Promise<void> {
    await this.database.patiently(() => this.statements.delete.run(id));
  }

  async screenshot(id: string): Promise<Uint8Array | undefined> {
    const sealed = blob(this.statements.screenshot.get(id));
    return sealed && this.box.open(sealed, sealContext(id, 'screenshot'));
  }

  async driverState(id: string): Promise<string | undefined> {
    const sealed = blob(this.statements.driverState.get(id));
    return sealed && this.box.openText(sealed, sealContext(id, 'driver_state'));
  }

  async write(changes: readonly AccountWrite[], batch?: CountsBatch): Promise<void> {
    this.database.transaction(() => {
      changes.forEach((change) => this.apply(change));
      batch?.counts.forEach((counts) => this.addCounts(counts));
    });
  }

  private apply(change: AccountWrite): void {
    const { id } = change;
    switch (change.kind) {
      case 'cooldown':
        this.statements.cooldown.run(change.cooldown ? JSON.stringify(change.cooldown) : null, id);
        return;
      case 'loginFailure':
        this.saveLoginFailure(id, change.failure, change.screenshot);
        return;
      case 'state':
        this.statements.saveDriverState.run(this.box.seal(change.state, sealContext(id, 'driver_state')), id);
        return;
      default:
        change satisfies never;
    }
  }

  private saveLoginFailure(
    id: string,
    failure: LoginFailure | undefined,
    screenshot: Uint8Array | undefined,
  ): void {
    const sealed = screenshot ? this.box.seal(screenshot, sealContext(id, 'screenshot')) : null;
    this.statements.login.run(toStoredLoginFailure(failure), sealed, id);
  }

  private addCounts({ id, added }: CountsWrite): void {
    const { requests, failures, rateLimits, lastUsedAt, lastLoginAt } = added;
    this.statements.counters.run(requests, failures, rateLimits, lastUsedAt ?? null, lastLoginAt ?? null, id);
  }

  private sealCredentials(id: string, credentials: Credentials): Uint8Array {
    return this.box.seal(JSON.stringify(credentials), sealContext(id, 'credentials'));
  }

  private fromRow(row: Row): StoredAccount {
    return {
      id: row.id,
      name: row.name,
      source: row.source,
      isPresent: row.is_present === 1,
      isEnabled: row.is_enabled === 1,
      credentials: JSON.parse(
        this.box.openText(row.credentials, sealContext(row.id, 'credentials')),
      ) as Credentials,
      cooldown: row.cooldown === null ? undefined : (JSON.parse(row.cooldown) as StoredCooldown),
      loginFailure: fromStoredLoginFailure(row.login_required),
      requests: row.requests,
      failures: row.failures,
      rateLimits: row.rate_limits,
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at ?? undefined,
      lastLoginAt: row.last_login_at ?? undefined,
    };
  }
}

function blob(row: unknown): Uint8Array | undefined {
  return (row as { value: Uint8Array | null } | undefined)?.value ?? undefined;
}
