import { type LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { NO_PROXIES, type OutboundProxies, ProxiedRoute } from '../proxied-route.js';
import { isPrivate, isReserved } from './internal-address.js';

/** Origins and kinds of requests allowed to the pages of a site. */
export interface PageRules {
  /** Origins without a trailing slash. A browser for which there is none at all has no boundary. */
  readonly allowedOrigins: readonly string[];
  /** Whether every address may be reached, whatever origins are allowed; default: no. */
  readonly isOpen?: boolean;
  /** Whether names may lead to addresses of private networks; default: no. */
  readonly privateNetwork?: boolean;
  /** Whether windows that a page opens stay open beside it; default: they are closed at once. */
  readonly keepsWindows?: boolean;
}

/** Why a connection is refused, in words for the operator. */
export class RefusedError extends Error {
  override name = 'RefusedError';
}

/** Resolves a name to all of its addresses. */
export type ResolveName = (name: string) => Promise<readonly LookupAddress[]>;

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Allowed destinations of a browser's connections, and the route to each: the hosts and ports of the allowed origins, or all
 * if the rules are open. A name is resolved once, keeps its addresses, and never leads to an internal one, so that whoever
 * answers for the name cannot aim it at this machine. Internal addresses and `localhost` are reached by an origin that
 * names them as such. Names behind an outbound proxy are resolved by that proxy, which cannot reach this machine.
 */
export class EgressPolicy {
  /** Schemes by `host:port`, canonical as in a URL. */
  private readonly schemes: ReadonlyMap<string, ReadonlySet<string>>;
  private readonly pins = new Map<string, Promise<readonly LookupAddress[]>>();

  constructor(
    private readonly rules: PageRules,
    private readonly proxies: OutboundProxies = NO_PROXIES,
    private readonly resolve: ResolveName = (name) => lookup(name, { all: true }),
  ) {
    this.schemes = schemesOf(rules.allowedOrigins);
  }

  /** @param host in lower case, IPv6 addresses in brackets */
  allows(host: string, port: number): boolean {
    return this.rules.isOpen === true || this.schemes.has(`${host}:${port}`);
  }

  /**
   * The route to an allowed target through an outbound proxy; undefined if there is none in between.
   * @param isTunnel whether the browser wants a tunnel: for TLS, or for a socket without TLS where all else is plain
   */
  proxiedRoute(host: string, port: number, isTunnel: boolean): ProxiedRoute | undefined {
    const known = this.schemes.get(`${host}:${port}`) ?? new Set([port === 80 ? 'http:' : 'https:']);
    const scheme = isTunnel && known.has('https:') ? 'https:' : 'http:';
    return ProxiedRoute.to(new URL(`${scheme}//${host}:${port}`), this.proxies);
  }

  /** For `net.connect`, which asks it only for names; fails with RefusedError. */
  readonly lookup: LookupFunction = (name, options, done) => {
    this.addresses(name).then(
      (found) => {
        const [first] = found;
        if (options.all || first === undefined) {
          done(null, [...found]);
        } else {
          done(null, first.address, first.family);
        }
      },
      (error: NodeJS.ErrnoException) => done(error, []),
    );
  };

  /** Has a name resolved anew with its next use, since none of its addresses can be connected to. */
  forget(name: string): void {
    this.pins.delete(name);
  }

  private addresses(name: string): Promise<readonly LookupAddress[]> {
    const pinned = this.pins.get(name) ?? this.resolved(name);
    this.pins.set(name, pinned);
    pinned.catch(() => this.forget(name));
    return pinned;
  }

  private async resolved(name: string): Promise<readonly LookupAddress[]> {
    // RFC 6761 6.3: such names are loopback, whatever a name server says.
    if (name === 'localhost' || name.endsWith('.localhost')) {
      return LOOPBACK;
    }
    const found = await this.resolve(name);
    const { privateNetwork = false, isOpen = false } = this.rules;
    const outside = found.filter(
      ({ address }) =>
        isOpen || (isIP(address) !== 0 && !isReserved(address) && (privateNetwork || !isPrivate(address))),
    );
    if (outside.length === 0) {
      const addresses = found.map(({ address }) => address).join(', ');
      throw new RefusedError(`${name} leads to an internal address (${addresses})`);
    }
    return outside;
  }
}

function schemesOf(origins: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const schemes = new Map<string, Set<string>>();
  for (const origin of origins) {
    const { protocol, hostname, port } = new URL(origin);
    const authority = `${hostname}:${port || DEFAULT_PORTS[protocol]}`;
    schemes.set(authority, (schemes.get(authority) ?? new Set()).add(protocol));
  }
  return schemes;
}
