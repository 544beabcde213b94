import { type SharedOutage } from '../../../common/logging/shared-outage.js';
import { type PgQuery } from '../../../common/store/pg-client.js';
import { type PgDatabase } from '../../../common/store/pg-database.js';
import { sealContext } from '../../../common/store/resealing.js';
import { type SecretBox } from '../../../common/store/secret-box.js';
import { type Clock } from '../../../common/time/clock.js';
import { type Account, type AccountSource, type Credentials } from '../account.js';
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
  is_present: boolean;
  is_enabled: boolean;
  credentials: Uint8Array;
  login: number;
  cooldown_ms: number | null;
  cooldown_cause: string | null;
  cooldown_model: string | null;
  login_required: string | null;
  requests: number;
  failures: number;
  rate_limits: number;
  created_at: number;
  last_used_at: number | null;
  last_login_at: number | null;
}

/**
 * Stands before the model in its column. The release before writes the other columns of a cooldown only: the model that it
 * leaves behind must not narrow a cooldown of the whole account.
 */
const stampOf = (end: string) => `(extract(epoch FROM ${end}) * 1000000)::bigint || ':'`;

/** A cooldown's end is the server's time: nodes tell and are told what remains. */
const LIST = `
  SELECT id, name, source, is_present, is_enabled, credentials, login, cooldown_cause, login_required, requests, failures,
    rate_limits, created_at, last_used_at, last_login_at,
    substring(cooldown_model FROM '^' || ${stampOf('cooldown_until')} || '(.*)') AS cooldown_model,
    (extract(epoch FROM cooldown_until - clock_timestamp()) * 1000)::float8 AS cooldown_ms
  FROM accounts WHERE provider = $1 ORDER BY created_at, name`;

/** A node that has lost an account must not overwrite what its next holder writes. Term 0: the account has no single holder. */
const BY_HOLDER = `id = $1 AND ($2::bigint = 0 OR NOT EXISTS
  (SELECT 1 FROM tenures WHERE tenures.account = accounts.id AND tenures.term > $2::bigint))`;

const SAVE_COOLDOWN = `
  UPDATE accounts SET cooldown_until = ends.at, cooldown_cause = $4, cooldown_model = ${stampOf('ends.at')} || $5::text
  FROM (SELECT clock_timestamp() + $3 * interval '1 ms' AS at) AS ends WHERE ${BY_HOLDER}`;
const NO_COOLDOWN = 'cooldown_until = NULL, cooldown_cause = NULL, cooldown_model = NULL';
const SAVE_FAILURE = `
  UPDATE accounts SET login_required = $4, login_screenshot = $5 WHERE ${BY_HOLDER} AND login = $3`;
const SAVE_STATE = `UPDATE accounts SET driver_state = $4 WHERE ${BY_HOLDER} AND login = $3`;
/** Two nodes that write about the same accounts take their rows in the same order. */
const LOCK = 'SELECT id FROM accounts WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE';

/** One statement for all accounts, since counts are written all the time; nothing for a batch that was carried out before. */
const ADD_COUNTS = `
  WITH batch AS (
    INSERT INTO account_batches AS latest (node, number) VALUES ($7, $8)
    ON CONFLICT (node) DO UPDATE SET number = excluded.number WHERE latest.number < excluded.number RETURNING number
  ), locked AS (${LOCK})
  UPDATE accounts SET requests = accounts.requests + added.requests, failures = accounts.failures + added.failures,
    rate_limits = accounts.rate_limits + added.rate_limits,
    last_used_at = greatest(accounts.last_used_at, added.last_used_at),
    last_login_at = greatest(accounts.last_login_at, added.last_login_at)
  FROM batch, locked JOIN unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
    AS added (id, requests, failures, rate_limits, last_used_at, last_login_at) USING (id)
  WHERE accounts.id = locked.id`;
const NEW_LOGIN = 'login = login + 1, driver_state = NULL, login_required = NULL, login_screenshot = NULL';

/** Credentials in both forms. */
interface OpenedCredentials {
  readonly sealed: Uint8Array;
  readonly credentials: Credentials;
}

/** The accounts in the store that several gateways share. What other nodes must hear of is announced with the change. */
export class PgAccountStore extends AccountStore {
  override readonly sharedOutage: SharedOutage;
  /** As often as the beat: each statement costs the gateway's processor as much as a request. */
  override readonly countsDelayMs = 1000;
  /** By account, as last listed: to open those of 2,000 took 50 ms on a busy machine, at each change of any at any node. */
  private opened = new Map<string, OpenedCredentials>();

  /** @param shares of each account, see `UpstreamDriver.shares` */
  constructor(
    private readonly database: PgDatabase,
    private readonly box: SecretBox,
    private readonly clock: Clock,
    private readonly shares: number,
  ) {
    super();
    this.sharedOutage = database.outage;
  }

  async list(provider: string): Promise<StoredAccount[]> {
    const rows = await this.database.queryForGrants<Row>(LIST, [provider]);
    const opened = new Map(rows.map((row) => [row.id, this.openCredentials(row)]));
    this.opened = opened;
    return rows.map((row) => this.fromRow(row, opened.get(row.id)!));
  }

  insert(account: Account, provider: string): Promise<boolean> {
    const { id, name, source, createdAt } = account;
    const credentials = this.sealCredentials(id, account.credentials);
    return this.database.transaction(async (query) => {
      await query('SELECT accounts_changed()');
      await query('DELETE FROM accounts WHERE provider = $1 AND name = $2 AND NOT is_present', [
        provider,
        name,
      ]);
      const inserted = await query(
        `INSERT INTO accounts (id, provider, name, source, credentials, created_at) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (provider, name) DO NOTHING RETURNING id`,
        [id, provider, name, source, credentials, createdAt],
      );
      if (inserted.length === 0) {
        return false;
      }
      await query('INSERT INTO tenures (account, share) SELECT $1, generate_series(0, $2::integer - 1)', [
        id,
        this.shares,
      ]);
      return true;
    });
  }

  saveCredentials(id: string, credentials: Credentials): Promise<void> {
    const sealed = this.sealCredentials(id, credentials);
    return this.change(`UPDATE accounts SET credentials = $2, ${NEW_LOGIN}, ${NO_COOLDOWN} WHERE id = $1`, [
      id,
      sealed,
    ]);
  }

  savePresence(id: string, isPresent: boolean): Promise<void> {
    return this.change('UPDATE accounts SET is_present = $2 WHERE id = $1', [id, isPresent]);
  }

  saveEnabled(id: string, isEnabled: boolean): Promise<void> {
    return this.change('UPDATE accounts SET is_enabled = $2 WHERE id = $1', [id, isEnabled]);
  }

  clearCooldown(id: string): Promise<void> {
    return this.change(`UPDATE accounts SET ${NO_COOLDOWN} WHERE id = $1`, [id]);
  }

  forgetLogin(id: string): Promise<void> {
    return this.change(`UPDATE accounts SET ${NEW_LOGIN} WHERE id = $1`, [id]);
  }

  delete(id: string): Promise<void> {
    return this.change('DELETE FROM accounts WHERE id = $1', [id]);
  }

  async screenshot(id: string): Promise<Uint8Array | undefined> {
    const sealed = await this.sealed('login_screenshot', id);
    return sealed && this.box.open(sealed, sealContext(id, 'screenshot'));
  }

  async driverState(id: string): Promise<string | undefined> {
    const sealed = await this.sealed('driver_state', id);
    return sealed && this.box.openText(sealed, sealContext(id, 'driver_state'));
  }

  async write(changes: readonly AccountWrite[], batch?: CountsBatch): Promise<void> {
    const { counts = [], number } = batch ?? {};
    const values = [...columnsOf(counts), this.database.nodeId, number];
    if (changes.length === 0) {
      await this.database.query(ADD_COUNTS, values);
      return;
    }
    await this.database.transaction(async (query) => {
      if (changes.some(({ kind }) => kind !== 'state')) {
        await query('SELECT accounts_changed()');
      }
      await query(LOCK, [[...changes, ...counts].map(({ id }) => id)]);
      for (const change of changes) {
        await this.save(change, query);
      }
      if (counts.length > 0) {
        await query(ADD_COUNTS, values);
      }
    });
  }

  private async save(change: AccountWrite, query: PgQuery): Promise<void> {
    const { id, term, login } = change;
    switch (change.kind) {
      case 'cooldown': {
        const { cooldown } = change;
        const remainingMs = cooldown ? cooldown.until - cooldown.startedAt : null;
        await query(SAVE_COOLDOWN, [id, term, remainingMs, cooldown?.cause ?? null, cooldown?.model ?? null]);
        return;
      }
      case 'loginFailure': {
        const { failure, screenshot } = change;
        const sealed = screenshot ? this.box.seal(screenshot, sealContext(id, 'screenshot')) : null;
        await query(SAVE_FAILURE, [id, term, login, toStoredLoginFailure(failure), sealed]);
        return;
      }
      case 'state': {
        const sealed = this.box.seal(change.state, sealContext(id, 'driver_state'));
        await query(SAVE_STATE, [id, term, login, sealed]);
        return;
      }
      default:
        change satisfies never;
    }
  }

  /** The version first, as in `write`, so that no two transactions wait for each other. */
  private change(sql: string, values: readonly unknown[]): Promise<void> {
    return this.database.transaction(async (query) => {
      await query('SELECT accounts_changed()');
      await query(sql, values);
    });
  }

  private async sealed(column: 'login_screenshot' | 'driver_state', id: string) {
    const sql = `SELECT ${column} AS value FROM accounts WHERE id = $1`;
    const [row] = await this.database.query<{ value: Uint8Array | null }>(sql, [id]);
    return row?.value ?? undefined;
  }

  private sealCredentials(id: string, credentials: Credentials): Uint8Array {
    return this.box.seal(JSON.stringify(credentials), sealContext(id, 'credentials'));
  }

  private openCredentials({ id, credentials: sealed }: Row): OpenedCredentials {
    const known = this.opened.get(id);
    if (known && Buffer.compare(known.sealed, sealed) === 0) {
      return known;
    }
    const text = this.box.openText(sealed, sealContext(id, 'credentials'));
    return { sealed, credentials: JSON.parse(text) as Credentials };
  }

  private fromRow(row: Row, { credentials }: OpenedCredentials): StoredAccount {
    const now = this.clock.now();
    return {
      id: row.id,
      name: row.name,
      source: row.source,
      isPresent: row.is_present,
      isEnabled: row.is_enabled,
      credentials,
      login: row.login,
      cooldown: toCooldown(row, now),
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

/** The first values of `ADD_COUNTS`. */
function columnsOf(counts: readonly CountsWrite[]): unknown[] {
  return [
    counts.map(({ id }) => id),
    counts.map(({ added }) => added.requests),
    counts.map(({ added }) => added.failures),
    counts.map(({ added }) => added.rateLimits),
    counts.map(({ added }) => added.lastUsedAt ?? null),
    counts.map(({ added }) => added.lastLoginAt ?? null),
  ];
}

function toCooldown(
  { cooldown_ms: remainingMs, cooldown_cause: cause, cooldown_model: model }: Row,
  now: number,
): StoredCooldown | undefined {
  return remainingMs === null
    ? undefined
    : { startedAt: now, until: now + remainingMs, cause: cause ?? '', ...(model !== null && { model }) };
}
