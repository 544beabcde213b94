import { allowedHostsProblem } from '../network/allowed-hosts.js';
import { allowedOriginsProblem } from '../network/allowed-origins.js';
import { proxyProblem } from '../network/proxy/outbound-proxy.js';
import { browserEndpointsProblem } from './browser-endpoints.js';
import { collectorHeadersProblem } from './collector-headers.js';
import { configuredKeysProblem } from './configured-keys.js';
import { type SettingsProblem } from './settings.errors.js';
import { type Settings } from './settings.js';
import { isApi, isRemoteSite } from './upstream-kind.js';

/** A rule over the values of settings; it applies only if each of `names` is valid by itself. */
interface SettingsRule {
  readonly names: readonly (keyof Settings)[];
  /** The message of a broken rule, else `false`. */
  readonly problem: (settings: Settings) => string | false;
}

const RULES: readonly SettingsRule[] = [
  {
    names: ['HOST', 'API_KEY', 'API_KEYS', 'ALLOW_UNAUTHENTICATED'],
    problem: ({ HOST, API_KEY, API_KEYS, ALLOW_UNAUTHENTICATED }) =>
      API_KEY === '' &&
      API_KEYS === '' &&
      !ALLOW_UNAUTHENTICATED &&
      !isLoopback(HOST) &&
      `HOST ${HOST} is reachable from other machines but API_KEY is empty: set API_KEY, listen on 127.0.0.1, ` +
        'or set ALLOW_UNAUTHENTICATED=1 if something else authenticates callers',
  },
  rule(
    'API_KEY',
    (key) =>
      !/^[\x21-\x7e]*$/.test(key) &&
      'API_KEY must be printable ASCII without spaces, since it travels in a header',
  ),
  {
    names: ['API_KEY', 'API_KEYS'],
    problem: ({ API_KEY, API_KEYS }) => configuredKeysProblem(API_KEYS, API_KEY),
  },
  {
    names: ['PROVIDER', 'SITE_RECIPE'],
    problem: ({ PROVIDER, SITE_RECIPE }) =>
      isRemoteSite({ PROVIDER }) &&
      SITE_RECIPE === undefined &&
      `SITE_RECIPE is needed with PROVIDER=${PROVIDER}`,
  },
  urlRule('ALERT_WEBHOOK', ['http:', 'https:'], 'an http:// or https:// URL'),
  urlRule('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'], 'an http:// or https:// URL'),
  rule('OTEL_EXPORTER_OTLP_HEADERS', collectorHeadersProblem),
  {
    names: ['PROVIDER', 'UPSTREAM_BASE_URL'],
    problem: ({ PROVIDER, UPSTREAM_BASE_URL }) =>
      isApi({ PROVIDER }) &&
      !hasScheme(UPSTREAM_BASE_URL, 'http:', 'https:') &&
      `UPSTREAM_BASE_URL must be an http or https URL with PROVIDER=${PROVIDER}`,
  },
  {
    names: ['PROVIDER', 'UPSTREAM_BASE_URL'],
    problem: ({ PROVIDER, UPSTREAM_BASE_URL }) =>
      isApi({ PROVIDER }) &&
      hasCredentials(UPSTREAM_BASE_URL) &&
      'UPSTREAM_BASE_URL must name no user or password, which would not be sent: keys belong in UPSTREAM_API_KEYS',
  },
  {
    names: ['PROVIDER', 'UPSTREAM_BASE_URL', 'HOST', 'PORT'],
    problem: ({ PROVIDER, UPSTREAM_BASE_URL, HOST, PORT }) =>
      isApi({ PROVIDER }) &&
      leadsTo(UPSTREAM_BASE_URL, HOST, PORT) &&
      'UPSTREAM_BASE_URL leads to this gateway itself: name the API that is to answer',
  },
  {
    names: ['PROVIDER', 'TOOL_MODE'],
    problem: ({ PROVIDER, TOOL_MODE }) =>
      TOOL_MODE === 'native' &&
      !isApi({ PROVIDER }) &&
      'TOOL_MODE=native needs PROVIDER=openai: a chat site takes text only',
  },
  rule('ALLOWED_HOSTS', allowedHostsProblem),
  rule('ALLOWED_ORIGINS', allowedOriginsProblem),
  urlRule('BROWSER_WS_ENDPOINT', ['ws:', 'wss:'], 'a ws:// or wss:// URL'),
  rule('BROWSER_ENDPOINTS', browserEndpointsProblem),
  {
    names: ['BROWSER_ENDPOINTS', 'BROWSER_WS_ENDPOINT'],
    problem: ({ BROWSER_ENDPOINTS, BROWSER_WS_ENDPOINT }) =>
      BROWSER_ENDPOINTS !== '' &&
      BROWSER_WS_ENDPOINT !== undefined &&
      'BROWSER_WS_ENDPOINT is the older name of BROWSER_ENDPOINTS: set one of them only',
  },
  urlRule(
    'DATABASE_URL',
    ['postgres:', 'postgresql:'],
    'a postgres:// URL, with / ? # and @ in a password as %2F %3F %23 and %40',
  ),
  {
    names: ['DATABASE_URL', 'SECRET_KEY'],
    problem: ({ DATABASE_URL, SECRET_KEY }) =>
      DATABASE_URL !== undefined &&
      SECRET_KEY === undefined &&
      'SECRET_KEY is needed with DATABASE_URL: all gateways on one database open its secrets with the same one',
  },
  {
    names: ['SECRET_KEY', 'SECRET_KEY_PREVIOUS'],
    problem: ({ SECRET_KEY, SECRET_KEY_PREVIOUS }) =>
      SECRET_KEY_PREVIOUS !== undefined &&
      SECRET_KEY === undefined &&
      'SECRET_KEY_PREVIOUS needs the SECRET_KEY that takes its place',
  },
  {
    // They may be meant for other programs, and keep nobody from trying the sandbox, which needs no way out.
    names: ['PROVIDER', 'HTTPS_PROXY', 'HTTP_PROXY'],
    problem: ({ PROVIDER, HTTPS_PROXY, HTTP_PROXY }) =>
      (isApi({ PROVIDER }) || isRemoteSite({ PROVIDER })) &&
      (proxyProblem('HTTPS_PROXY', HTTPS_PROXY) || proxyProblem('HTTP_PROXY', HTTP_PROXY)),
  },
  {
    names: ['POOL_MIN_SESSIONS', 'POOL_MAX_SESSIONS'],
    problem: ({ POOL_MIN_SESSIONS, POOL_MAX_SESSIONS }) =>
      POOL_MIN_SESSIONS > POOL_MAX_SESSIONS && 'POOL_MIN_SESSIONS must not exceed POOL_MAX_SESSIONS',
  },
  {
    names: ['RETRY_BASE_DELAY_MS', 'RETRY_MAX_DELAY_MS'],
    problem: ({ RETRY_BASE_DELAY_MS, RETRY_MAX_DELAY_MS }) =>
      RETRY_BASE_DELAY_MS > RETRY_MAX_DELAY_MS && 'RETRY_BASE_DELAY_MS must not exceed RETRY_MAX_DELAY_MS',
  },
];

/** The rule for one setting. */
function rule<Name extends keyof Settings>(
  name: Name,
  problem: (value: Settings[Name]) => string | false,
): SettingsRule {
  return { names: [name], problem: (settings) => problem(settings[name]) };
}

/** The rule for a URL that may be unset. */
function urlRule(
  name: 'ALERT_WEBHOOK' | 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'BROWSER_WS_ENDPOINT' | 'DATABASE_URL',
  schemes: readonly string[],
  form: string,
): SettingsRule {
  return rule(name, (url) => url !== undefined && !hasScheme(url, ...schemes) && `${name} must be ${form}`);
}

/**
 * The rules that settings break.
 * @param invalid names of settings that are wrong by themselves
 */
export function checkTogether(settings: Settings, invalid: ReadonlySet<string>): SettingsProblem[] {
  return RULES.filter(({ names }) => !names.some((name) => invalid.has(name))).flatMap(
    ({ names, problem }) => {
      const text = problem(settings);
      return text === false ? [] : [{ names, text }];
    },
  );
}

/** Of what `HOST` may be; names below `localhost` are not, since not every resolver knows them. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

/** Whether a URL names the address that the gateway listens on, and no other that its port may belong to. */
function leadsTo(text: string | undefined, host: string, port: number): boolean {
  const url = text === undefined ? null : URL.parse(text);
  if (url?.protocol !== 'http:' || Number(url.port || 80) !== port) {
    return false;
  }
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const isAny = host === '0.0.0.0' || host === '::';
  return name === host || (isLoopback(name) && (isAny || (isLoopback(host) && name === 'localhost')));
}

function hasScheme(url: string | undefined, ...schemes: readonly string[]): boolean {
  return url !== undefined && URL.canParse(url) && schemes.includes(new URL(url).protocol);
}

function hasCredentials(text: string | undefined): boolean {
  const url = text === undefined ? null : URL.parse(text);
  return url !== null && (url.username !== '' || url.password !== '');
}
