import { redactSecrets } from '../common/network/known-secrets.js';

/** Names of credentials whose values may be shown: they name the account, e.g. `user` or `e-mail`. */
const NAME_FIELD = /^(?:user(?:[_-]?name)?|e?-?mail|name|login|account)$/i;

/** Secret values of an account's credentials, to be redacted wherever they turn up. */
export function secretsOf(credentials: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(credentials)
    .filter(([name]) => !NAME_FIELD.test(name))
    .map(([, value]) => value);
}

/**
 * The error, with the secrets of an account taken out of its texts and those of its causes: what fails on a page often
 * names the URL or the value that a recipe filled in.
 */
export function withoutSecrets<T>(error: T, credentials: Readonly<Record<string, string>>): T {
  const secrets = secretsOf(credentials);
  const seen = new Set<unknown>();
  for (let at: unknown = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at);
    for (const name of ['message', 'stack'] as const) {
      const text = at[name];
      const redacted = text === undefined ? text : redactSecrets(text, secrets);
      if (redacted !== text) {
        // Some errors have their message from a getter.
        Object.defineProperty(at, name, { value: redacted, configurable: true, writable: true });
      }
    }
  }
  return error;
}
