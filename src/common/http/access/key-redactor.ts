import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { REDACTED, redactSecrets } from '../../network/redact.js';

/** Takes the gateway's own key out of texts that callers made up: some type it into a path or the name of a model. */
@Injectable()
export class KeyRedactor {
  private secrets: readonly string[] = [''];

  constructor(private readonly settings: Settings) {}

  text(text: string): string {
    const { API_KEY } = this.settings;
    if (this.secrets[0] !== API_KEY) {
      this.secrets = [API_KEY];
    }
    return redactSecrets(text, this.secrets);
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
