import { Buffer } from 'node:buffer';
import { gunzipSync, gzipSync } from 'node:zlib';
import { redactSecrets } from '../../common/network/known-secrets.js';

/** A completion with what the upstream sent for it, as JSON that is not redacted yet; the writer's thread does that. */
export interface UpstreamRecording {
  readonly json: string;
  /** Values to redact wherever they occur, e.g. the account's password. */
  readonly secrets: readonly string[];
}

/** Fast, since every recording is written and few are read; answers shrink to a fifth all the same. */
const LEVEL = 1;
/** Characters from which a recording is compressed: for a short one, that costs more than all else that is done for it. */
const MIN_PACKED_LENGTH = 16_384;
/** First byte of gzip, with which no JSON begins. */
const GZIP = 0x1f;

/** The form on disk: redacted, and compressed if it is long. */
export function packRecording({ json, secrets }: UpstreamRecording): Uint8Array {
  const redacted = redactSecrets(json, secrets);
  return redacted.length < MIN_PACKED_LENGTH ? Buffer.from(redacted) : gzipSync(redacted, { level: LEVEL });
}

/** The redacted JSON. */
export function unpackRecording(bytes: Uint8Array): string {
  return (bytes[0] === GZIP ? gunzipSync(bytes) : Buffer.from(bytes)).toString();
}
