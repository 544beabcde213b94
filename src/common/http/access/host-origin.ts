import { type IncomingHttpHeaders } from 'node:http';
import { type AllowedHosts } from '../../network/allowed-hosts.js';
import { type Authority, canonicalHost, parseAuthority } from '../../network/authority.js';

/** Inputs of the decision whether a host name belongs to the gateway. */
export interface HostRules {
  /** Setting `HOST`: the address the gateway listens on. */
  readonly listenHost: string;
  /** Setting `ALLOWED_HOSTS`, parsed. */
  readonly allowedHosts: AllowedHosts;
  /** Local address of the connection. A literal address cannot be rebound by DNS, so it is always allowed. */
  readonly localAddress: string | undefined;
}

/** Any other loopback address is allowed by the connection that came in by it: see `HostRules.localAddress`. */
const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);
const WILDCARDS: ReadonlySet<string> = new Set(['', '0.0.0.0', '::']);

/** Whether requests for a host are accepted: the protection against DNS rebinding. */
export function isHostAllowed(host: Authority, rules: HostRules): boolean {
  if (rules.allowedHosts.all || LOOPBACK_NAMES.has(host.name)) {
    return true;
  }
  const listenName = canonicalHost(rules.listenHost.toLowerCase());
  if (listenName === host.name && !WILDCARDS.has(listenName)) {
    return true;
  }
  if (rules.localAddress !== undefined && canonicalHost(rules.localAddress) === host.name) {
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

/** Whether a request target is one for supervisors and balancers, which may know the gateway by names of their own. */
export function isProbeTarget(url: string): boolean {
  return /^\/health(?:\/live|\/ready)?(?:\?|$)/.test(url);
}

/** Whether the browser reports that another site caused the request. */
export function isCrossSite(secFetchSite: string): boolean {
  return secFetchSite.split(',').some((value) => value.trim().toLowerCase() === 'cross-site');
}

/** Whether no web page sends a request: browsers name the page with each POST (https://fetch.spec.whatwg.org/#origin-header). */
export function isOfProgram(headers: IncomingHttpHeaders): boolean {
  return headers.origin === undefined && headers['sec-fetch-site'] === undefined;
}

/** The authority of an absolute request target (`GET http://host/path`); undefined for the usual origin form. */
export function absoluteTarget(url: string): { readonly authority: Authority | undefined } | undefined {
  if (url.startsWith('/') || url === '*') {
    return undefined;
  }
  const match = /^https?:\/\/([^/?#]*)/i.exec(url);
  return { authority: match?.[1] === undefined ? undefined : parseAuthority(match[1]) };
}
