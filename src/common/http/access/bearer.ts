import { hash, timingSafeEqual } from 'node:crypto';

const BEARER = /^Bearer +([^\s]+)$/i;

/** The credential of an `Authorization: Bearer …` header; undefined if the header is absent or of another form. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
}

/** Compares keys in constant time: both sides are digests of equal length. */
export class KeyDigest {
  private readonly digest: Buffer;

  constructor(readonly key: string) {
    this.digest = sha256(Buffer.from(key, 'utf8'));
  }

  /** @param token value of a header as Node gives it, one character per byte */
  matchesHeader(token: string): boolean {
    return timingSafeEqual(sha256(Buffer.from(token, 'latin1')), this.digest);
  }

  /** @param token decoded text, e.g. of a query parameter */
  matchesText(token: string): boolean {
    return timingSafeEqual(sha256(Buffer.from(token, 'utf8')), this.digest);
  }
}

function sha256(bytes: Buffer): Buffer {
  return hash('sha256', bytes, 'buffer');
}
