import { Injectable } from '@nestjs/common';
import { Database } from '../../common/store/database.js';
import { SecretBox } from '../../common/store/secret-box.js';
import { type Account, type AccountSource, type Credentials, type LoginFailure } from './account.js';
import { type StoredCooldown } from './cooldown.js';

/** An account read from the store, its credentials decrypted. Times are Unix milliseconds. */
export interface StoredAccount {
  readonly id: string;
  readonly name: string;
  readonly source: AccountSource;
  /** False for an account of the configuration that has been taken out of it. */
  readonly isPresent: boolean;
  readonly isEnabled: boolean;
  readonly credentials: Credentials;
  readonly cooldown?: StoredCooldown;
  readonly loginFailure?: LoginFailure;
  readonly requests: number;
  readonly failures: number;
  readonly rateLimits: number;
  readonly createdAt: number;
  readonly lastUsedAt?: number;
  readonly lastLoginAt?: number;
}

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

/**
 * The table of accounts. Credentials, driver state and screenshots are encrypted at rest. Every write has been
 * committed when its method returns, or throws.
 */
@Injectable()
export class AccountStore {
  private readonly statements;

  constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
  ) {
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
      deleteAbsent: prepare('DELETE FROM accounts WHERE provider = ? AND name = ? AND is_present = 0'),
      credentials: prepare(
        `UPDATE accounts SET credentials = ?, driver_state = NULL, login_required = NULL, login_screenshot = NULL
         WHERE id = ?`,
      ),
      presence: prepare('UPDATE accounts SET is_present = ? WHERE id = ?'),
      enabled: prepare('UPDATE accounts SET is_enabled = ? WHERE id = ?'),
      cooldown: prepare('UPDATE accounts SET cooldown = ? WHERE id = ?'),
      login: prepare('UPDATE accounts SET login_required = ?, login_screenshot = ? WHERE id = ?'),
      screenshot: prepare('SELECT login_screenshot AS value FROM accounts WHERE id = ?'),
      driverState: prepare('SELECT driver_state AS value FROM accounts WHERE id = ?'),
      saveDriverState: prepare('UPDATE accounts SET driver_state = ? WHERE id = ?'),
      counters: prepare(
        `UPDATE accounts SET requests = ?, failures = ?, rate_limits = ?, last_used_at = ?, last_login_at = ?
         WHERE id = ?`,
      ),
      delete: prepare('DELETE FROM accounts WHERE id = ?'),
    };
  }

  /** Runs the work so that all of its writes happen or none. */
  transaction(work: () => void): void {
    this.database.transaction(work);
  }

  /** All accounts of a provider, also those absent from the configuration, oldest first. */
  list(provider: string): StoredAccount[] {
    return (this.statements.list.all(provider) as unknown as Row[]).map((row) => this.fromRow(row));
  }

  /** Replaces an account of the same name that is absent from the configuration. */
  insert(account: Account, provider: string): void {
    const { id, name, source, createdAt } = account;
    const credentials = this.sealCredentials(id, account.credentials);
    this.transaction(() => {
      this.statements.deleteAbsent.run(provider, name);
      this.statements.insert.run(id, provider, name, source, credentials, createdAt);
    });
  }

  /** Also deletes driver state and login failure, which belong to the old credentials. */
  saveCredentials(id: string, credentials: Credentials): void {
    this.statements.credentials.run(this.sealCredentials(id, credentials), id);
  }

  /** Marks an account as present in, or absent from, the configuration. */
  savePresence(id: string, isPresent: boolean): void {
    this.statements.presence.run(Number(isPresent), id);
  }

  saveEnabled(id: string, isEnabled: boolean): void {
    this.statements.enabled.run(Number(isEnabled), id);
  }

  /** Undefined deletes the cooldown. */
  saveCooldown(id: string, cooldown: StoredCooldown | undefined): void {
    this.statements.cooldown.run(cooldown ? JSON.stringify(cooldown) : null, id);
  }

  /** Undefined deletes the failure. The screenshot is a PNG; without one an earlier one is deleted. */
  saveLoginFailure(id: string, failure: LoginFailure | undefined, screenshot?: Uint8Array): void {
    const sealed = screenshot ? this.box.seal(screenshot, sealContext(id, 'screenshot')) : null;
    this.statements.login.run(failure ? JSON.stringify(failure) : null, sealed, id);
  }

  /** PNG of the page at which the login failed. */
  screenshot(id: string): Uint8Array | undefined {
    const sealed = blob(this.statements.screenshot.get(id));
    return sealed && this.box.open(sealed, sealContext(id, 'screenshot'));
  }

  /** State that the driver saved for its next start, e.g. cookies. */
  driverState(id: string): string | undefined {
    const sealed = blob(this.statements.driverState.get(id));
    return sealed && this.box.openText(sealed, sealContext(id, 'driver_state'));
  }

  /** Undefined deletes the state. */
  saveDriverState(id: string, state: string | undefined): void {
    const sealed = state === undefined ? null : this.box.seal(state, sealContext(id, 'driver_state'));
    this.statements.saveDriverState.run(sealed, id);
  }

  saveCounters({ id, requests, failures, rateLimits, lastUsedAt, lastLoginAt }: Account): void {
    this.statements.counters.run(requests, failures, rateLimits, lastUsedAt ?? null, lastLoginAt ?? null, id);
  }

  delete(id: string): void {
    this.statements.delete.run(id);
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
      loginFailure:
        row.login_required === null ? undefined : (JSON.parse(row.login_required) as LoginFailure),
      requests: row.requests,
      failures: row.failures,
      rateLimits: row.rate_limits,
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at ?? undefined,
      lastLoginAt: row.last_login_at ?? undefined,
    };
  }
}

/** Associated data of a sealed value: it cannot be moved to another account or column. */
function sealContext(id: string, column: string): string {
  return `account:${id}:${column}`;
}

function blob(row: unknown): Uint8Array | undefined {
  return (row as { value: Uint8Array | null } | undefined)?.value ?? undefined;
}
