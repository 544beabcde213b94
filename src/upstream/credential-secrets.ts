/** Names of credentials whose values may be shown: they name the account, e.g. `user` or `e-mail`. */
const NAME_FIELD = /^(?:user(?:[_-]?name)?|e?-?mail|name|login|account)$/i;

/** Secret values of an account's credentials, to be redacted wherever they turn up. */
export function secretsOf(credentials: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(credentials)
    .filter(([name]) => !NAME_FIELD.test(name))
    .map(([, value]) => value);
}
