/** Destination of a request through the proxy. */
export interface ProxyTarget {
  /** In lower case, IPv6 addresses in brackets. */
  readonly host: string;
  readonly port: number;
  /** Path and query, for a request that is forwarded; empty for a tunnel. */
  readonly path: string;
}

const AUTHORITY = /^(\[[\d.:a-f]+\]|[^\s:/?#@\\[\]]+)(?::(\d{1,5}))?$/i;
const ABSOLUTE_FORM = /^(?:http|ws):\/\/([^/?#]*)([^#]*)$/i;

/** Target of a CONNECT request, `host:port`; undefined if malformed. */
export function parseTunnelTarget(authority: string): ProxyTarget | undefined {
  return toTarget(authority, undefined, '');
}

/** Target of a request in absolute form, `http://host/path`; undefined for any other. */
export function parseForwardTarget(url: string): ProxyTarget | undefined {
  const [, authority, rest] = ABSOLUTE_FORM.exec(url) ?? [];
  if (authority === undefined || rest === undefined) {
    return undefined;
  }
  return toTarget(authority, 80, rest.startsWith('/') ? rest : `/${rest}`);
}

function toTarget(authority: string, defaultPort: number | undefined, path: string): ProxyTarget | undefined {
  const [, host, digits] = AUTHORITY.exec(authority) ?? [];
  const port = digits === undefined ? defaultPort : Number(digits);
  if (host === undefined || port === undefined || port < 1 || port > 65_535) {
    return undefined;
  }
  // No host for all that is, e.g., `256.1.1.1`: the look for a way to it would throw.
  return URL.canParse(`http://${host}`) ? { host: host.toLowerCase(), port, path } : undefined;
}

/** Fields that are meant for a proxy alone. */
const FOR_PROXY = ['proxy-authorization', 'proxy-connection'];
/** Fields that belong to one connection (RFC 9110 7.6.1); `Connection` names further ones. */
const HOP_BY_HOP = [...FOR_PROXY, 'connection', 'keep-alive', 'te', 'upgrade'];

/**
 * Header fields that pass a proxy, names and values in turn.
 * @param rawHeaders as received, names and values in turn
 * @param further names in lower case of fields to leave out as well
 */
export function endToEndFields(rawHeaders: readonly string[], ...further: readonly string[]): string[] {
  const named = namesAndValues(rawHeaders)
    .filter(([name]) => name === 'connection')
    .flatMap(([, value]) =>
      value
        .toLowerCase()
        .split(',')
        .map((name) => name.trim()),
    );
  return without(rawHeaders, [...HOP_BY_HOP, ...named, ...further]);
}

/** Header fields of a request that is to become a socket: all but those for the proxy. */
export function upgradeFields(rawHeaders: readonly string[]): string[] {
  return without(rawHeaders, FOR_PROXY);
}

function without(rawHeaders: readonly string[], names: readonly string[]): string[] {
  const dropped = new Set(names);
  return namesAndValues(rawHeaders).flatMap(([name, value, raw]) => (dropped.has(name) ? [] : [raw, value]));
}

function namesAndValues(rawHeaders: readonly string[]): [name: string, value: string, raw: string][] {
  const fields: [string, string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [raw = '', value = ''] = rawHeaders.slice(at, at + 2);
    fields.push([raw.toLowerCase(), value, raw]);
  }
  return fields;
}
