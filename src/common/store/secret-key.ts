import { randomBytes, scryptSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomically } from '../files/atomic-file.js';
import { OWNER_ONLY_FILE } from '../files/private-path.js';
import { type Database } from './database.js';
import { reseal } from './resealing.js';
import { SecretBox, SecretBoxError } from './secret-box.js';
import { StoreError } from './store.error.js';

const KEY_BYTES = 32;
const KEY_FILE = 'secret.key';
const CHECK_PLACE = 'meta:key_check';
const CHECK_TEXT = 'this key fits';

/**
 * Opens the box for the secrets of a store. Its key is derived from `SECRET_KEY` (scrypt, with a salt kept in the
 * store) or, without one, read from the 0600 file `secret.key` in DATA_DIR, which is created with the store.
 * @param previous `SECRET_KEY_PREVIOUS`, the key of before or the text of its file: what it has sealed is sealed anew
 * @throws StoreError if the key is not the one that the store's secrets were sealed with
 */
export function openSecretBox(
  database: Database,
  secretKey: string | undefined,
  previous?: string,
): SecretBox {
  // One transaction, so that two processes starting on the same new folder agree on one key.
  return database.transaction(() => {
    const meta = metaOf(database);
    const check = meta.get('key_check');
    const salt = (): Uint8Array => meta.get('key_salt') ?? meta.set('key_salt', randomBytes(16));
    const box =
      secretKey === undefined
        ? new SecretBox(keyFromFile(join(database.folder, KEY_FILE), check === undefined))
        : boxOf(secretKey, salt());
    if (check === undefined) {
      meta.set('key_check', checkOf(box));
    } else if (previous !== undefined && !isKeyOf(box, check)) {
      const before = boxOfEither(previous, check, salt);
      verifyKey(before, check, 'SECRET_KEY_PREVIOUS', 'another DATA_DIR');
      reseal(database, before, box);
      meta.set('key_check', checkOf(box));
    } else {
      const source = secretKey === undefined ? `The key file ${KEY_FILE}` : 'SECRET_KEY';
      verifyKey(box, check, source, 'another DATA_DIR');
    }
    return box;
  });
}

/** The box whose key is in the text of a key file, if it is the store's; else the one whose key is derived from the text. */
function boxOfEither(text: string, check: Uint8Array, salt: () => Uint8Array): SecretBox {
  const key = keyOfText(text);
  const box = key && new SecretBox(key);
  return box && isKeyOf(box, check) ? box : boxOf(text, salt());
}

/** The box whose key is derived from a passphrase and the store's salt. */
export function boxOf(secretKey: string, salt: Uint8Array): SecretBox {
  return new SecretBox(deriveKey(secretKey, salt));
}

/** Check value by which a store tells its key from another one. */
export function checkOf(box: SecretBox): Uint8Array {
  return box.seal(CHECK_TEXT, CHECK_PLACE);
}

/** @param check made by `checkOf` */
export function isKeyOf(box: SecretBox, check: Uint8Array): boolean {
  try {
    box.open(check, CHECK_PLACE);
    return true;
  } catch (error) {
    if (error instanceof SecretBoxError) {
      return false;
    }
    throw error;
  }
}

/**
 * @param check made by `checkOf`
 * @param source origin of the key, for the message
 * @param otherStore the operator's alternative to this store, for the message
 * @throws StoreError if the box has another key than the store
 */
export function verifyKey(box: SecretBox, check: Uint8Array, source: string, otherStore: string): void {
  if (!isKeyOf(box, check)) {
    throw new StoreError(
      `${source} does not fit the store: its secrets were encrypted with another key. Start with the key of ` +
        `before (SECRET_KEY, or the key file where none was set), or use ${otherStore}.`,
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
  const key = keyOfText(text);
  if (key === undefined) {
    throw new StoreError(`The key file ${path} is damaged: it must hold ${KEY_BYTES} bytes in base64.`);
  }
  return key;
}

/** The key in the text of a key file; undefined for any other text. */
function keyOfText(text: string): Uint8Array | undefined {
  const key = Buffer.from(text.trim(), 'base64');
  return key.length === KEY_BYTES ? key : undefined;
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
  const write = database.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)');
  return {
    get: (key) => (select.get(key) as { value: Uint8Array } | undefined)?.value,
    set: (key, value) => {
      write.run(key, value);
      return value;
    },
  };
}
