import { isIPv6 } from 'node:net';
import { commaList } from '../text/comma-list.js';
import { type Authority, parseAuthority } from './authority.js';

/** Hosts of `ALLOWED_HOSTS`; `all` if `*` is among them. An entry without a port allows every port. */
export interface AllowedHosts {
  readonly all: boolean;
  readonly entries: readonly Authority[];
}

/** Parses the setting `ALLOWED_HOSTS`; entries that are no host are left out. */
export function parseAllowedHosts(setting: string): AllowedHosts {
  const texts = commaList(setting);
  return { all: texts.includes('*'), entries: texts.flatMap((text) => parseEntry(text) ?? []) };
}

/** The fault of the setting; false if it has none. */
export function allowedHostsProblem(setting: string): string | false {
  const wrong = commaList(setting).find((text) => text !== '*' && !parseEntry(text));
  return (
    wrong !== undefined &&
    'ALLOWED_HOSTS must be a list of hosts like chat.example or chat.example:8443, separated by commas, or *: ' +
      `${wrong} is none`
  );
}

/** An entry beginning with a dot means all names below it elsewhere, but would match none here. */
function parseEntry(text: string): Authority | undefined {
  const authority = parseAuthority(isIPv6(text) ? `[${text}]` : text);
  return authority && /^\.|\.\./.test(authority.name) ? undefined : authority;
}
