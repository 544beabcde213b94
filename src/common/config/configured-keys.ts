import { commaList } from '../text/comma-list.js';

/** Name of the key in the setting `API_KEY`, in the log and in the audit list. */
export const MASTER_KEY_NAME = 'API_KEY';

/** Names of keys go into logs, labels and links. */
export const KEY_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

export interface ConfiguredKey {
  readonly name: string;
  readonly secret: string;
}

/** The callers of the setting `API_KEYS`: `name:key`, separated by commas. Meant for a valid setting. */
export function parseConfiguredKeys(setting: string): readonly ConfiguredKey[] {
  return commaList(setting).map((entry) => {
    const colon = entry.indexOf(':');
    return { name: entry.slice(0, colon), secret: entry.slice(colon + 1) };
  });
}

/** The fault of the setting `API_KEYS`, without any key in it; false if it has none. */
export function configuredKeysProblem(setting: string, masterKey: string): string | false {
  const entries = commaList(setting);
  if (!entries.every((entry) => /^[^:]+:[\x21-\x7e]+$/.test(entry))) {
    return 'API_KEYS must be a list of name:key, separated by commas, in printable ASCII without spaces';
  }
  const keys = parseConfiguredKeys(setting);
  const badName = keys.find(({ name }) => !KEY_NAME.test(name) || name === MASTER_KEY_NAME);
  if (badName) {
    return 'API_KEYS has a name that is not allowed: up to 63 letters, digits, dots, dashes and underscores';
  }
  if (new Set(keys.map(({ name }) => name)).size < keys.length) {
    return 'API_KEYS has a name twice';
  }
  const secrets = keys.map(({ secret }) => secret);
  return (
    (new Set(secrets).size < secrets.length || secrets.includes(masterKey)) &&
    'API_KEYS has a key that belongs to somebody else, too'
  );
}
