import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const FORMAT = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + IV_BYTES + TAG_BYTES;

/** Sealed bytes that do not open: sealed with another key or for another place, or changed since. */
export class SecretBoxError extends Error {
  override name = 'SecretBoxError';
}

/**
 * Encrypts secrets of the store with AES-256-GCM and a fresh nonce for each value. `place` (e.g.
 * `account:7:credentials`) is authenticated with the value, so that a value moved to another row or column does not
 * open there.
 */
export class SecretBox {
  /** @param key 32 bytes */
  constructor(private readonly key: Uint8Array) {}

  seal(secret: string | Uint8Array, place: string): Uint8Array {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, iv).setAAD(Buffer.from(place));
    const body = Buffer.concat([
      cipher.update(typeof secret === 'string' ? Buffer.from(secret) : secret),
      cipher.final(),
    ]);
    return Buffer.concat([Uint8Array.of(FORMAT), iv, cipher.getAuthTag(), body]);
  }

  /** @throws SecretBoxError if the bytes do not open with this key at this place */
  open(sealed: Uint8Array, place: string): Uint8Array {
    if (sealed.length < HEADER_BYTES || sealed[0] !== FORMAT) {
      throw new SecretBoxError(`${place} is not a sealed value`);
    }
    const iv = sealed.subarray(1, 1 + IV_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', this.key, iv, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(place))
      .setAuthTag(sealed.subarray(1 + IV_BYTES, HEADER_BYTES));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(HEADER_BYTES)), decipher.final()]);
    } catch (error) {
      throw new SecretBoxError(`${place} does not open with this key`, { cause: error });
    }
  }

  openText(sealed: Uint8Array, place: string): string {
    return Buffer.from(this.open(sealed, place)).toString('utf8');
  }

  /** Derives a secret for one purpose; it is the same for the same key and purpose, and reveals nothing of the key. */
  derive(purpose: string): string {
    return createHmac('sha256', this.key).update(`derive:${purpose}`).digest('base64url');
  }
}
