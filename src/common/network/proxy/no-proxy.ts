import { BlockList, isIP } from 'node:net';
import { canonicalHost } from '../authority.js';

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
/** `name`, `name:port`, `[ipv6]:port`, or an IPv6 address, whose colons begin no port. */
const ENTRY = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/;
const RANGE = /^(.+)\/(\d{1,3})$/;

/**
 * Whether a server is reached without a proxy: this machine always, which no proxy can reach, and what `NO_PROXY` lists.
 * Its entries are names, which stand for their subdomains as well, addresses and ranges of them, with a port if only that
 * one is meant; `*` stands for all.
 */
export function isReachedDirectly(url: URL, noProxy: string): boolean {
  const host = hostOf(url.hostname);
  const port = url.port || DEFAULT_PORTS[url.protocol];
  return isLoopback(host) || noProxy.split(/[,\s]+/).some((entry) => covers(entry, host, port));
}

function covers(entry: string, host: string, port: string | undefined): boolean {
  const [, name = entry, onlyPort = port] = ENTRY.exec(entry) ?? [];
  if (name === '' || onlyPort !== port) {
    return false;
  }
  const [, start = '', prefix] = RANGE.exec(name) ?? [];
  if (prefix !== undefined) {
    return isWithin(host, hostOf(start), Number(prefix));
  }
  const listed = hostOf(name.replace(/^\*?\./, ''));
  return listed === '*' || host === listed || (isIP(host) === 0 && host.endsWith(`.${listed}`));
}

function isWithin(address: string, start: string, prefix: number): boolean {
  const family = isIP(start);
  if (family === 0 || family !== isIP(address) || prefix > (family === 4 ? 32 : 128)) {
    return false;
  }
  const range = new BlockList();
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  range.addSubnet(start, prefix, kind);
  return range.check(address, kind);
}

/** Names below `localhost` too, as clients resolve them (RFC 6761). */
function isLoopback(host: string): boolean {
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '::1' ||
    (isIP(host) === 4 && host.startsWith('127.'))
  );
}

/** One form of a name or an address: small, and without brackets or the dot at the end. */
function hostOf(name: string): string {
  return (canonicalHost(name) ?? name).replace(/\.$/, '');
}
