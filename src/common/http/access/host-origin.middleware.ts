import { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { type Settings } from '../../config/settings.js';
import { GatewayError, InvalidRequestError } from '../../errors/gateway.errors.js';
import {
  absoluteTarget,
  type AllowedHosts,
  type Authority,
  isCrossSite,
  isHostAllowed,
  isSameOrigin,
  parseAllowedHosts,
  parseAuthority,
} from './host-origin.js';
import { countHeader } from './raw-headers.js';

/** The error for a request whose Host or Origin is not allowed; undefined if both are. */
export type HostOriginCheck = (request: Request) => GatewayError | undefined;

/**
 * Keeps web pages of other sites away from the gateway: the host must be on the allow-list, against DNS rebinding, and
 * a browser's request must come from the gateway's own pages.
 */
export function hostOriginMiddleware(settings: Settings): RequestHandler {
  const check = createHostOriginCheck(settings);
  return (request: Request, _response: Response, next: NextFunction): void => next(check(request));
}

/** What was found of each request: the log asks at its arrival, and the middleware once more. */
const found = new WeakMap<Request, GatewayError | 'none'>();

/** Follows changes of the settings, for requests that arrive after them. */
export function createHostOriginCheck(settings: Settings): HostOriginCheck {
  let setting: string | undefined;
  let allowedHosts: AllowedHosts;
  return (request) => {
    if (setting !== settings.ALLOWED_HOSTS) {
      setting = settings.ALLOWED_HOSTS;
      allowedHosts = parseAllowedHosts(setting);
    }
    const fault = found.get(request) ?? findFault(request, settings.HOST, allowedHosts) ?? 'none';
    found.set(request, fault);
    return fault === 'none' ? undefined : fault;
  };
}

function findFault(
  request: Request,
  listenHost: string,
  allowedHosts: AllowedHosts,
): GatewayError | undefined {
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
  if (origin !== undefined && !isSameOrigin(origin, host)) {
    return new GatewayError('origin_not_allowed', 'Requests from pages of other sites are not allowed.');
  }
  if (secFetchSite !== undefined && isCrossSite(secFetchSite)) {
    return new GatewayError('origin_not_allowed', 'Requests caused by other sites are not allowed.');
  }
  return undefined;
}

function isSameAuthority(a: Authority | undefined, b: Authority): boolean {
  return a !== undefined && a.name === b.name && (a.port ?? 80) === (b.port ?? 80);
}
