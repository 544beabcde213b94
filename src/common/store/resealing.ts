import { type Database } from './database.js';
import { type PgQuery } from './pg-client.js';
import { type SecretBox } from './secret-box.js';

/** What is sealed of an account: the column, and its word in the place of a value. */
const SEALED_PARTS = {
  credentials: 'credentials',
  driver_state: 'driver_state',
  login_screenshot: 'screenshot',
} as const;

/** A statement for each column of sealed values of accounts. */
const COLUMNS = Object.entries(SEALED_PARTS).map(([column, part]) => ({
  part,
  read: `SELECT id, ${column} AS sealed FROM accounts WHERE ${column} IS NOT NULL`,
  write: (sealed: string, id: string) => `UPDATE accounts SET ${column} = ${sealed} WHERE id = ${id}`,
}));

/** Place of the settings that gateways share. */
export const SETTINGS_PLACE = 'shared_settings';

interface SealedRow {
  readonly id: string;
  readonly sealed: Uint8Array;
}

/** Associated data of a sealed value: it cannot be moved to another account or column. */
export function sealContext(id: string, part: (typeof SEALED_PARTS)[keyof typeof SEALED_PARTS]): string {
  return `account:${id}:${part}`;
}

/**
 * Seals everything in the embedded store anew, within a transaction of the caller's.
 * @throws SecretBoxError if a value does not open
 */
export function reseal(database: Database, from: SecretBox, to: SecretBox): void {
  for (const { part, read, write } of COLUMNS) {
    const update = database.prepare(write('?', '?'));
    for (const { id, sealed } of database.prepare(read).all() as unknown as SealedRow[]) {
      const place = sealContext(id, part);
      update.run(to.seal(from.open(sealed, place), place), id);
    }
  }
}

/**
 * Seals everything in the shared store anew, within the transaction of `query`.
 * @throws SecretBoxError if a value does not open
 */
export async function resealShared(query: PgQuery, from: SecretBox, to: SecretBox): Promise<void> {
  for (const { part, read, write } of COLUMNS) {
    for (const { id, sealed } of await query<SealedRow>(read)) {
      const place = sealContext(id, part);
      await query(write('$1', '$2'), [to.seal(from.open(sealed, place), place), id]);
    }
  }
  const [settings] = await query<{ sealed: Uint8Array | null }>('SELECT sealed FROM shared_settings');
  if (settings?.sealed) {
    const sealed = to.seal(from.open(settings.sealed, SETTINGS_PLACE), SETTINGS_PLACE);
    await query('UPDATE shared_settings SET sealed = $1', [sealed]);
  }
}
