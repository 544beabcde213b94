import { isIPv6, SocketAddress } from 'node:net';

/** Host and port of `Host`, `Origin` or an absolute request target; the name is in lower case. */
export interface Authority {
  readonly name: string;
  readonly port?: number;
}

/** Inputs of the decision whether a host name belongs to the gateway. */
export interface HostRules {
  /** Setting `HOST`: the address the gateway listens on. */
  readonly listenHost: string;
  /** Setting `ALLOWED_HOSTS`, parsed. */
  readonly allowedHosts: AllowedHosts;
  /** Local address of the connection. A literal address cannot be rebound by DNS, so it is always allowed. */
  readonly localAddress: string | undefined;
}

/** Hosts of `ALLOWED_HOSTS`; `all` if `*` is among them. An entry without a port allows every port. */
export interface AllowedHosts {
  readonly all: boolean;
  readonly entries: readonly Authority[];
}

const AUTHORITY = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i;
const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);
const WILDCARDS: ReadonlySet<string> = new Set(['', '0.0.0.0', '::']);

/** Parses `name`, `name:port` or `[ipv6]:port`; undefined for any other text. */
export function parseAuthority(text: string): Authority | undefined {
  const match = AUTHORITY.exec(text);
  if (match?.[1] === undefined) {
    return undefined;
  }
  const name = canonicalName(match[1]);
  const port = match[2] === undefined ? undefined : Number(match[2]);
  if (name === undefined || (port !== undefined && port > 65535)) {
    return undefined;
  }
  return port === undefined ? { name } : { name, port };
}

/** Parses the setting `ALLOWED_HOSTS`; entries that are no host are left out. */
export function parseAllowedHosts(setting: string): AllowedHosts {
  const texts = setting
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
  const entries = texts.flatMap((text) => parseAuthority(isIPv6(text) ? `[${text}]` : text) ?? []);
  return { all: texts.includes('*'), entries };
}

/** Whether requests for a host are accepted: the protection against DNS rebinding. */
export function isHostAllowed(host: Authority, rules: HostRules): boolean {
  if (rules.allowedHosts.all || LOOPBACK_NAMES.has(host.name)) {
    return true;
  }
  const listenName = canonicalName(rules.listenHost.toLowerCase());
  if (listenName === host.name && !WILDCARDS.has(listenName)) {
    return true;
  }
  if (rules.localAddress !== undefined && canonicalName(rules.localAddress) === host.name) {
    return true;
  }
  return rules.allowedHosts.entries.some(
    (entry) => entry.name === host.name && (entry.port === undefined || entry.port === host.port),
  );
}

/** Whether an `Origin` header names the same site as `Host`; false for `null` and other schemes. */
export function isSameOrigin(origin: string, host: Authority): boolean {
  const match = /^(https?):\/\/([^/]+)$/i.exec(origin);
  const authority = match?.[2] === undefined ? undefined : parseAuthority(match[2]);
  if (authority === undefined) {
    return false;
  }
  // A proxy in front may speak TLS, so the scheme is taken from the origin and only fills in the default port.
  const defaultPort = match?.[1]?.toLowerCase() === 'https' ? 443 : 80;
  return authority.name === host.name && (authority.port ?? defaultPort) === (host.port ?? defaultPort);
}

/** Whether a request target, in either form, is an endpoint of the API. */
export function isApiTarget(url: string): boolean {
  return /^(?:[hH][tT]{2}[pP][sS]?:\/\/[^/?#]*)?\/v1\//.test(url);
}

/** Whether the browser reports that another site caused the request. */
export function isCrossSite(secFetchSite: string): boolean {
  return secFetchSite.split(',').some((value) => value.trim().toLowerCase() === 'cross-site');
}

/** The authority of an absolute request target (`GET http://host/path`); undefined for the usual origin form. */
export function absoluteTarget(url: string): { readonly authority: Authority | undefined } | undefined {
  if (url.startsWith('/') || url === '*') {
    return undefined;
  }
  const match = /^https?:\/\/([^/?#]*)/i.exec(url);
  return { authority: match?.[1] === undefined ? undefined : parseAuthority(match[1]) };
}

/** Lower case; IPv6 addresses without brackets in their one short form, mapped IPv4 as IPv4. */
function canonicalName(name: string): string | undefined {
  const bare = name.startsWith('[') ? name.slice(1, -1) : name;
  if (!bare.includes(':')) {
    return bare.toLowerCase();
  }
  if (!isIPv6(bare)) {
    return undefined;
  }
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' });
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  return mapped?.[1] ?? address;
}
