import { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { type Settings } from '../../config/settings.js';
import { GatewayError, InvalidRequestError } from '../../errors/gateway.errors.js';
import { AttachedValue } from '../../memory/attached-value.js';
import { following } from '../../memory/following.js';
import { getOrInsert } from '../../memory/get-or-insert.js';
import { type AllowedHosts, parseAllowedHosts } from '../../network/allowed-hosts.js';
import { parseAllowedOrigins } from '../../network/allowed-origins.js';
import { type Authority, parseAuthority } from '../../network/authority.js';
import { isApiTarget } from '../api-target.js';
import { absoluteTarget, isCrossSite, isHostAllowed, isProbeTarget, isSameOrigin } from './host-origin.js';
import { countHeader } from './raw-headers.js';

/** The error for a request whose Host or Origin is not allowed; undefined if both are. */
export type HostOriginCheck = (request: Request) => GatewayError | undefined;

/**
 * Keeps web pages of other sites away from the gateway: the host must be on the allow-list, against DNS rebinding, and
 * a browser's request must come from the gateway's own pages, or be one to the API from an origin that is allowed. Probes are
 * answered to anybody (decision 441).
 */
export function hostOriginMiddleware(settings: Settings): RequestHandler {
  const check = createHostOriginCheck(settings);
  return (request: Request, _response: Response, next: NextFunction): void => next(check(request));
}

/** Findings by request: the log asks at its arrival, and the middleware once more. */
const found = new AttachedValue<Request, GatewayError | 'none'>('finding about host and origin');

/** Follows changes of the settings, for requests that arrive after them. */
export function createHostOriginCheck(settings: Settings): HostOriginCheck {
  const allowedHosts = following(() => [settings.ALLOWED_HOSTS], parseAllowedHosts);
  const allowedOrigins = following(() => [settings.ALLOWED_ORIGINS], parseAllowedOrigins);
  return (request) => {
    const rules = { listenHost: settings.HOST, hosts: allowedHosts(), origins: allowedOrigins() };
    const fault = getOrInsert(found, request, () => findFault(request, rules) ?? 'none');
    return fault === 'none' ? undefined : fault;
  };
}

/** The origin of a page that may call the API; undefined for any other request. Follows changes of the settings. */
export function createAllowedOrigin(settings: Settings): (request: Request) => string | undefined {
  const allowedOrigins = following(() => [settings.ALLOWED_ORIGINS], parseAllowedOrigins);
  return (request) => allowedOriginOf(request, allowedOrigins());
}

function allowedOriginOf(request: Request, origins: ReadonlySet<string>): string | undefined {
  const { origin } = request.headers;
  // `url` is cut where a middleware is mounted.
  return origin !== undefined && origins.has(origin.toLowerCase()) && isApiTarget(request.originalUrl)
    ? origin
    : undefined;
}

/** Settings, parsed. */
interface Rules {
  readonly listenHost: string;
  readonly hosts: AllowedHosts;
  readonly origins: ReadonlySet<string>;
}

function findFault(
  request: Request,
  { listenHost, hosts: allowedHosts, origins }: Rules,
): GatewayError | undefined {
  if (isProbeTarget(request.originalUrl)) {
    return undefined;
  }
  const { host: hostHeader, origin, 'sec-fetch-site': secFetchSite } = request.headers;
  if (hostHeader === undefined || countHeader(request, 'host') > 1) {
    // RFC 9112, section 3.2.
    return new InvalidRequestError('The request must have exactly one Host header.');
  }
  const host = parseAuthority(hostHeader);
  if (host === undefined) {
    return new InvalidRequestError('The Host header is not a valid host name.');
  }
  const rules = { listenHost, allowedHosts, localAddress: request.socket.localAddress };
  if (!isHostAllowed(host, rules)) {
    return new GatewayError(
      'host_not_allowed',
      'This host name is not allowed. Use a loopback name, or add the name to the setting ALLOWED_HOSTS.',
    );
  }
  const target = absoluteTarget(request.url);
  if (target !== undefined && !isSameAuthority(target.authority, host)) {
    return new GatewayError(
      'host_not_allowed',
      'The request target and the Host header name different hosts.',
    );
  }
  if (allowedOriginOf(request, origins) !== undefined) {
    return undefined;
  }
  if (origin !== undefined && !isSameOrigin(origin, host)) {
    return new GatewayError(
      'origin_not_allowed',
      'Requests from pages of other sites are not allowed; ALLOWED_ORIGINS names those that may call the API.',
    );
  }
  if (secFetchSite !== undefined && isCrossSite(secFetchSite)) {
    return new GatewayError('origin_not_allowed', 'Requests caused by other sites are not allowed.');
  }
  return undefined;
}

function isSameAuthority(a: Authority | undefined, b: Authority): boolean {
  return a !== undefined && a.name === b.name && (a.port ?? 80) === (b.port ?? 80);
}
