import { basicAuthorization } from '../basic-authorization.js';
import { isReachedDirectly } from './no-proxy.js';

/** The settings of these names. */
export interface ProxySettings {
  readonly HTTPS_PROXY?: string | undefined;
  readonly HTTP_PROXY?: string | undefined;
  readonly NO_PROXY: string;
}

/** Setting that names a proxy. */
export type ProxyVariable = 'HTTPS_PROXY' | 'HTTP_PROXY';

/** An HTTP proxy between the gateway and the internet. */
export interface OutboundProxy {
  readonly url: URL;
  readonly variable: ProxyVariable;
  /** For messages, without name and password: `proxy http://proxy.example:3128 (HTTPS_PROXY)`. */
  readonly label: string;
  /** Those of each request to the proxy itself, with its name and password. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The proxy for connections to a URL; undefined for those that go there directly. */
export function proxyFor(target: URL, settings: ProxySettings): OutboundProxy | undefined {
  const variable = target.protocol === 'https:' || target.protocol === 'wss:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const url = parseProxy(settings[variable]);
  if (!url || isReachedDirectly(target, settings.NO_PROXY)) {
    return undefined;
  }
  return {
    url,
    variable,
    label: `proxy ${url.origin} (${variable})`,
    headers: basicAuthorization(url, 'proxy-authorization'),
  };
}

/** What is wrong with the value of a setting, without the value, which may hold a password; else `false`. */
export function proxyProblem(variable: ProxyVariable, value: string | undefined): string | false {
  return (
    value !== undefined &&
    !parseProxy(value) &&
    `${variable} must be an http:// or https:// URL, such as http://proxy.example:3128`
  );
}

/** Programs take the name and the port alone as well. */
function parseProxy(value: string | undefined): URL | undefined {
  const url = value === undefined ? null : URL.parse(value.includes('://') ? value : `http://${value}`);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
}
