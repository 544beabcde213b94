import { Injectable } from '@nestjs/common';
import { parseConfiguredKeys } from '../../config/configured-keys.js';
import { Settings } from '../../config/settings.js';
import { following } from '../../memory/following.js';
import { REDACTED, redactSecrets } from '../../network/known-secrets.js';

/** Beginning of the keys that the gateway makes, by which they are recognised although only their digests are kept. */
export const KEY_PREFIX = 'gwk_';
const MADE_KEY = /gwk_[\w-]{16,}/g;

/** Takes the gateway's own keys out of texts that callers made up: some type them into a path or the name of a model. */
@Injectable()
export class KeyRedactor {
  private readonly secrets: () => readonly string[];

  constructor(settings: Settings) {
    this.secrets = following(
      () => [settings.API_KEY, settings.API_KEYS],
      (masterKey, callerKeys) => [masterKey, ...parseConfiguredKeys(callerKeys).map(({ secret }) => secret)],
    );
  }

  text(text: string): string {
    const redacted = redactSecrets(text, this.secrets());
    return redacted.includes(KEY_PREFIX) ? redacted.replace(MADE_KEY, REDACTED) : redacted;
  }

  /** A path of a URL; one that hides the key behind percent signs is replaced as a whole. */
  path(path: string): string {
    const redacted = this.text(path);
    if (!redacted.includes('%')) {
      return redacted;
    }
    const decoded = decode(redacted);
    return this.text(decoded) === decoded ? redacted : `/${REDACTED}`;
  }
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
