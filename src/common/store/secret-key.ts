import { randomBytes, scryptSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomically } from '../files/atomic-file.js';
import { OWNER_ONLY_FILE } from '../files/private-path.js';
import { type Database } from './database.js';
import { SecretBox, SecretBoxError } from './secret-box.js';
import { StoreError } from './store.error.js';

const KEY_BYTES = 32;
const KEY_FILE = 'secret.key';
const CHECK_PLACE = 'meta:key_check';
const CHECK_TEXT = 'this key fits';

/**
 * Opens the box for the secrets of a store. Its key is derived from `SECRET_KEY` (scrypt, with a salt kept in the
 * store) or, without one, read from the 0600 file `secret.key` in DATA_DIR, which is created with the store.
 * @throws StoreError if the key is not the one that the store's secrets were sealed with
 */
export function openSecretBox(database: Database, secretKey: string | undefined): SecretBox {
  // One transaction, so that two processes starting on the same new folder agree on one key.
  return database.transaction(() => {
    const meta = metaOf(database);
    const check = meta.get('key_check');
    const key =
      secretKey === undefined
        ? keyFromFile(join(database.folder, KEY_FILE), check === undefined)
        : deriveKey(secretKey, meta.get('key_salt') ?? meta.set('key_salt', randomBytes(16)));
    const box = new SecretBox(key);
    if (check === undefined) {
      meta.set('key_check', checkOf(box));
    } else {
      const source = secretKey === undefined ? `The key file ${KEY_FILE}` : 'SECRET_KEY';
      verifyKey(box, check, source, 'another DATA_DIR');
    }
    return box;
  });
}

/** The box whose key is derived from a passphrase and the store's salt. */
export function boxOf(secretKey: string, salt: Uint8Array): SecretBox {
  return new SecretBox(deriveKey(secretKey, salt));
}

/** Check value by which a store tells its key from another one. */
export function checkOf(box: SecretBox): Uint8Array {
  return box.seal(CHECK_TEXT, CHECK_PLACE);
}

/**
 * @param check made by `checkOf`
 * @param source origin of the key, for the message
 * @param otherStore the operator's alternative to this store, for the message
 * @throws StoreError if the box has another key than the store
 */
export function verifyKey(box: SecretBox, check: Uint8Array, source: string, otherStore: string): void {
  try {
    box.open(check, CHECK_PLACE);
  } catch (error) {
    if (!(error instanceof SecretBoxError)) {
      throw error;
    }
    throw new StoreError(
      `${source} does not fit the store: its secrets were encrypted with another key. Start with the key of ` +
        `before (SECRET_KEY, or the key file where none was set), or use ${otherStore}.`,
      error,
    );
  }
}

function deriveKey(secretKey: string, salt: Uint8Array): Uint8Array {
  return scryptSync(secretKey, salt, KEY_BYTES);
}

function keyFromFile(path: string, mayCreate: boolean): Uint8Array {
  const text = readKeyFile(path);
  if (text === undefined && mayCreate) {
    const key = randomBytes(KEY_BYTES);
    writeFileAtomically(path, Buffer.from(`${key.toString('base64')}\n`), OWNER_ONLY_FILE);
    return key;
  }
  if (text === undefined) {
    throw new StoreError(
      `The key file ${path} is missing, and the store holds secrets: put the file back, set the SECRET_KEY that ` +
        'was used before, or use another DATA_DIR.',
    );
  }
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== KEY_BYTES) {
    throw new StoreError(`The key file ${path} is damaged: it must hold ${KEY_BYTES} bytes in base64.`);
  }
  return key;
}

function readKeyFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw new StoreError(`The key file ${path} cannot be read: ${(error as Error).message}`, error);
  }
}

function metaOf(database: Database): {
  get(key: string): Uint8Array | undefined;
  set(key: string, value: Uint8Array): Uint8Array;
} {
  const select = database.prepare('SELECT value FROM meta WHERE key = ?');
  const insert = database.prepare('INSERT INTO meta (key, value) VALUES (?, ?)');
  return {
    get: (key) => (select.get(key) as { value: Uint8Array } | undefined)?.value,
    set: (key, value) => {
      insert.run(key, value);
      return value;
    },
  };
}
