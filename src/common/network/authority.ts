import { isIPv6, SocketAddress } from 'node:net';

/** Host and port of `Host`, `Origin` or an absolute request target; the name is in lower case. */
export interface Authority {
  readonly name: string;
  readonly port?: number;
}

const AUTHORITY = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i;

/** Parses `name`, `name:port` or `[ipv6]:port`; undefined for any other text. */
export function parseAuthority(text: string): Authority | undefined {
  const match = AUTHORITY.exec(text);
  if (match?.[1] === undefined) {
    return undefined;
  }
  const name = canonicalHost(match[1]);
  const port = match[2] === undefined ? undefined : Number(match[2]);
  if (name === undefined || (port !== undefined && port > 65535)) {
    return undefined;
  }
  return port === undefined ? { name } : { name, port };
}

/** Lower case; IPv6 addresses without brackets in their one short form, mapped IPv4 as IPv4. */
export function canonicalHost(name: string): string | undefined {
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
