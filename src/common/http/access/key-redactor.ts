import { Injectable } from '@nestjs/common';
import { parseConfiguredKeys } from '../../config/configured-keys.js';
import { Settings } from '../../config/settings.js';
import { REDACTED, redactSecrets } from '../../network/known-secrets.js';

/** Beginning of the keys that the gateway makes, by which they are recognised although only their digests are kept. */
export const KEY_PREFIX = 'gwk_';
const MADE_KEY = /gwk_[\w-]{16,}/g;

/** Takes the gateway's own keys out of texts that callers made up: some type them into a path or the name of a model. */
@Injectable()
export class KeyRedactor {
  private secrets: readonly string[] = [];
  private apiKey: string | undefined;
  private apiKeys = '';

  constructor(private readonly settings: Settings) {}

  text(text: string): string {
    const { API_KEY, API_KEYS } = this.settings;
    if (this.apiKey !== API_KEY || this.apiKeys !== API_KEYS) {
      this.apiKey = API_KEY;
      this.apiKeys = API_KEYS;
      this.secrets = [API_KEY, ...parseConfiguredKeys(API_KEYS).map(({ secret }) => secret)];
    }
    const redacted = redactSecrets(text, this.secrets);
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
