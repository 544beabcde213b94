import { gunzipSync, gzipSync } from 'node:zlib';
import { redactSecrets } from '../../common/network/redact.js';

/** A completion with what the upstream sent for it, as JSON that is not redacted yet; the writer's thread does that. */
export interface UpstreamRecording {
  readonly json: string;
  /** Values to redact wherever they occur, e.g. the account's password. */
  readonly secrets: readonly string[];
}

/** Fast, since every recording is written and few are read; answers shrink to a fifth all the same. */
const LEVEL = 1;

/** The form on disk: redacted and compressed. */
export function packRecording({ json, secrets }: UpstreamRecording): Uint8Array {
  return gzipSync(redactSecrets(json, secrets), { level: LEVEL });
}

/** The redacted JSON. */
export function unpackRecording(bytes: Uint8Array): string {
  return gunzipSync(bytes).toString();
}
