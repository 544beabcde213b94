/** Credentials that are names, and may be shown. */
const NAME_FIELD = /^(?:user(?:[_-]?name)?|e?-?mail|name|login|account)$/i;

/** The values of an account's credentials that must not be shown wherever they turn up. */
export function secretsOf(credentials: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(credentials)
    .filter(([name]) => !NAME_FIELD.test(name))
    .map(([, value]) => value);
}
