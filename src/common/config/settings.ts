import { Allow } from 'class-validator';
import { DAY_MS, HOUR_MS } from '../time/durations.js';
import { type ModelTable } from './model-table.js';
import {
  BooleanSetting,
  ChoiceSetting,
  IntegerSetting,
  SizeSetting,
  TextSetting,
} from './setting.decorators.js';

/** What is decided at the start, by whoever starts the gateway. */
const FIXED = { restart: true, editable: false } as const;
const FIXED_SECRET = { ...FIXED, secret: true } as const;
const PROXY = { environmentOnly: true, secret: true, unset: 'no proxy' } as const;

const PROVIDERS = ['sandbox', 'web', 'openai'] as const;
export const TOOL_MODES = ['native', 'emulated'] as const;
const STREAM_DEFAULTS = ['auto', 'true', 'false'] as const;
const STREAM_FAILURES = ['auto', 'event', 'drop'] as const;
export const ECHO_ACTIONS = ['auto', 'drop', 'regenerate', 'off'] as const;
const LOG_CONTENTS = ['none', 'preview', 'full'] as const;
const RECORDINGS = ['off', 'failures', 'all'] as const;
const PROCESS_LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const LOG_FORMATS = ['auto', 'json', 'text'] as const;

/** An account of an API takes more concurrent sessions than one of a site. */
const SESSIONS_PER_ACCOUNT = { openai: 64, else: 4 };

/**
 * Every setting, with its default. A name here is the name in the environment, in `config.json`
 * and on the settings page. Times are milliseconds, sizes are bytes.
 *
 * Inject this class and read the value at the moment of use: a later change is then seen without a restart.
 */
export class Settings {
  @IntegerSetting('Port that the gateway listens on; 0 takes a free one.', { max: 65535, restart: true })
  PORT = 26405;

  @TextSetting('Address to listen on. Addresses beyond loopback need API_KEY or API_KEYS.', { restart: true })
  HOST = '127.0.0.1';

  @TextSetting('Key of the operator, as bearer or `x-api-key`; without any key everybody has access.', {
    secret: true,
  })
  API_KEY = '';

  // Its holders would appear and vanish with the file that a web form edits: keys made at run time are in the store.
  @TextSetting(
    'More callers: name:key, separated by commas. They may use /v1, /v1beta and /api, and see only their own requests.',
    FIXED_SECRET,
  )
  API_KEYS = '';

  @IntegerSetting(
    'Most connections of callers at once, but no more than three quarters of the files that the system lets the gateway have open; more are closed at once.',
    { min: 16, max: 1_000_000, restart: true },
  )
  MAX_CONNECTIONS = 16_384;

  @IntegerSetting('Wrong keys a minute from one address; more are answered 429. A right key always passes.', {
    min: 1,
    max: 1_000_000,
  })
  WRONG_KEYS_PER_MINUTE = 100;

  @TextSetting('Folder of the store, the browser profiles and the key file.', FIXED)
  DATA_DIR = 'data';

  @TextSetting('JSON file with settings.', { environmentOnly: true })
  CONFIG_FILE = 'config.json';

  @ChoiceSetting(
    'Which upstream answers: the built-in sandbox site, a chat site, or an OpenAI-format API.',
    PROVIDERS,
    { restart: true },
  )
  PROVIDER: (typeof PROVIDERS)[number] = 'sandbox';

  @TextSetting('Path of the site recipe, for PROVIDER=web.', { restart: true })
  SITE_RECIPE?: string;

  @TextSetting('Base URL that ends in /v1, for PROVIDER=openai.', { restart: true })
  UPSTREAM_BASE_URL?: string;

  @TextSetting(
    'API keys for PROVIDER=openai, separated by commas, one account each; empty for servers without keys.',
    { restart: true, secret: true },
  )
  UPSTREAM_API_KEYS = '';

  @BooleanSetting(
    'Whether each prompt carries `x-gateway-fence`, `<share>/<term>`, for upstreams that refuse terms lower than the last.',
  )
  UPSTREAM_FENCE = false;

  @TextSetting('Model name sent upstream.', {
    unset: 'the first of its own list for the built-in ids, else the id asked for, without -no-thinking',
  })
  UPSTREAM_MODEL?: string;

  @ChoiceSetting('How tools reach the upstream.', TOOL_MODES, {
    unset: 'native with PROVIDER=openai, else emulated',
  })
  TOOL_MODE?: (typeof TOOL_MODES)[number];

  @IntegerSetting('How long an account cools after a rate limit without a time.', { max: 7 * DAY_MS })
  RATE_LIMIT_COOLDOWN_MS = 120_000;

  @IntegerSetting('Most upstream attempts for one request before the first byte.', { min: 1, max: 20 })
  RETRY_MAX_ATTEMPTS = 3;

  @IntegerSetting('Wait before the first retry; doubles each time, with jitter.', { max: HOUR_MS })
  RETRY_BASE_DELAY_MS = 500;

  @IntegerSetting('Longest wait between two attempts.', { max: HOUR_MS })
  RETRY_MAX_DELAY_MS = 8000;

  @IntegerSetting('Sessions kept warm while idle.', { max: 10_000 })
  POOL_MIN_SESSIONS = 1;

  @IntegerSetting('Most sessions over all accounts.', { min: 1, max: 10_000 })
  POOL_MAX_SESSIONS = 32;

  @IntegerSetting('Most sessions of one account; a site on HTTP/1.1 serves a browser six.', {
    min: 1,
    max: 10_000,
    defaultFor: SESSIONS_PER_ACCOUNT,
  })
  POOL_MAX_SESSIONS_PER_ACCOUNT = SESSIONS_PER_ACCOUNT.else;

  @IntegerSetting('How long a session may stay idle before it is closed.', { max: DAY_MS })
  POOL_IDLE_MS = 60_000;

  @IntegerSetting('Most requests that may wait for a session; one per opening always may.', { max: 100_000 })
  POOL_QUEUE_LIMIT = 256;

  @IntegerSetting('Longest wait for a session, and of a large body for memory.', { max: HOUR_MS })
  POOL_ACQUIRE_TIMEOUT_MS = 30_000;

  @IntegerSetting('A request waits, instead of a 429, if a rate limit of an account ends within this time.', {
    max: HOUR_MS,
  })
  WAIT_FOR_COOLDOWN_MS = 5000;

  @IntegerSetting('Longest silence of the upstream before its first event.', { min: 1, max: HOUR_MS })
  UPSTREAM_FIRST_BYTE_MS = 60_000;

  @IntegerSetting('Longest silence of the upstream within an answer.', { min: 1, max: HOUR_MS })
  UPSTREAM_IDLE_MS = 60_000;

  @IntegerSetting(
    'Longest time of an answer without text, reasoning or a tool call, whatever else the upstream sends.',
    { min: 1, max: HOUR_MS },
  )
  UPSTREAM_PROGRESS_MS = 600_000;

  @SizeSetting('Most bytes of an answer without text, reasoning or a tool call.', {
    min: 2 ** 10,
    max: 2 ** 30,
  })
  UPSTREAM_FILLER_BYTES = 32 * 2 ** 20;

  @IntegerSetting(
    'Silence after which a stream begins with a heartbeat, even if the upstream has not accepted the prompt.',
    { min: 1, max: HOUR_MS },
  )
  HEARTBEAT_AFTER_MS = 10_000;

  @IntegerSetting('Silence between two heartbeats of a stream.', { min: 1, max: HOUR_MS })
  HEARTBEAT_INTERVAL_MS = 15_000;

  @ChoiceSetting(
    'Whether a request without `stream` is answered as a stream; auto: unless its caller always names `stream` for a stream.',
    STREAM_DEFAULTS,
  )
  STREAM_DEFAULT: (typeof STREAM_DEFAULTS)[number] = 'auto';

  @ChoiceSetting(
    'How a stream that fails after its first byte ends: with an error event, or only a dropped connection; auto: by caller.',
    STREAM_FAILURES,
  )
  STREAM_FAILURE: (typeof STREAM_FAILURES)[number] = 'auto';

  @IntegerSetting('`max_tokens` of a request that names none.', {
    min: 1,
    max: 1_000_000,
    unset: "1000, and with tools the model's most",
  })
  DEFAULT_MAX_TOKENS?: number;

  @SizeSetting('Largest request body.', { min: 2 ** 10, max: 128 * 2 ** 20 })
  BODY_LIMIT = 32 * 2 ** 20;

  @BooleanSetting('Whether tool results are condensed before they go upstream.')
  TOOL_COMPRESSION = true;

  @ChoiceSetting('What happens when the model repeats a tool result word for word.', ECHO_ACTIONS)
  ECHO_ACTION: (typeof ECHO_ACTIONS)[number] = 'auto';

  @ChoiceSetting('How much of prompts and answers the request log keeps.', LOG_CONTENTS)
  LOG_CONTENT: (typeof LOG_CONTENTS)[number] = 'preview';

  @ChoiceSetting(
    'Whether the log keeps what the upstream sent, read by read with its times, so that a request can be run again without it: for no request, for failed or corrected ones, or for all. Includes whole prompts and answers. Nothing with `LOG_CONTENT=none`.',
    RECORDINGS,
  )
  RECORD_UPSTREAM: (typeof RECORDINGS)[number] = 'off';

  @IntegerSetting('Days that log entries are kept.', { min: 1, max: 36_500 })
  LOG_RETENTION_DAYS = 7;

  @SizeSetting('Most bytes of the log: its file, and its shared records.', { min: 2 ** 20, max: 2 ** 40 })
  LOG_MAX_BYTES = 512 * 2 ** 20;

  @IntegerSetting('Days that responses (`/v1/responses`) are kept.', { min: 1, max: 36_500 })
  RESPONSE_RETENTION_DAYS = 30;

  @SizeSetting('Most bytes that stored responses may take; 0 stores none.', { min: 0, max: 2 ** 40 })
  RESPONSE_MAX_BYTES = 256 * 2 ** 20;

  @ChoiceSetting('Level of the process log.', PROCESS_LOG_LEVELS, { restart: true })
  LOG_LEVEL: (typeof PROCESS_LOG_LEVELS)[number] = 'info';

  @ChoiceSetting('Form of the process log; auto: text on a terminal, else JSON.', LOG_FORMATS, {
    restart: true,
  })
  LOG_FORMAT: (typeof LOG_FORMATS)[number] = 'auto';

  // It names a program to run, which must not be left to the holder of the gateway's key.
  @TextSetting('Chrome or Chromium to start.', { ...FIXED, unset: 'the one found at set-up' })
  BROWSER_EXECUTABLE_PATH?: string;

  // The remote machines see every password and cookie that their browser handles.
  @TextSetting(
    'Browsers on other machines, used instead of a local one, separated by commas: ws(s)://host/…, ' +
      'http(s)://host:port (Chromium) or webdriver+http(s)://host:port (Selenium Grid).',
    FIXED_SECRET,
  )
  BROWSER_ENDPOINTS = '';

  @TextSetting('Older name of BROWSER_ENDPOINTS, for one ws:// or wss:// URL.', FIXED_SECRET)
  BROWSER_WS_ENDPOINT?: string;

  @BooleanSetting(
    'Starts the browser without its sandbox; only for containers that cannot provide one.',
    FIXED,
  )
  BROWSER_NO_SANDBOX = false;

  // Whoever may change it chooses who reads the accounts.
  @TextSetting('PostgreSQL that several gateways share (postgres://…).', {
    environmentOnly: true,
    secret: true,
    unset: 'the store in DATA_DIR alone',
  })
  DATABASE_URL?: string;

  @IntegerSetting(
    'How long a gateway may use an account without contact with the shared database; then another may take over.',
    { min: 3000, max: HOUR_MS, restart: true },
  )
  NODE_LEASE_MS = 15_000;

  @TextSetting('Secret from which the encryption key of the store is derived.', {
    ...FIXED_SECRET,
    unset: 'a key file in DATA_DIR',
  })
  SECRET_KEY?: string;

  @TextSetting('Previous SECRET_KEY: the start re-encrypts its secrets with SECRET_KEY.', FIXED_SECRET)
  SECRET_KEY_PREVIOUS?: string;

  @TextSetting(
    'Host names that callers may use besides loopback names and HOST, separated by commas; * allows all.',
  )
  ALLOWED_HOSTS = '';

  @TextSetting(
    'Origins of web pages that may call /v1, /v1beta and /api, e.g. https://chat.example, separated by commas; none by default.',
  )
  ALLOWED_ORIGINS = '';

  @TextSetting(
    'URL that alerts are posted to as JSON: no request can be served, an account needs a login, the log cannot be written, and the end of each.',
    { secret: true, editable: false, unset: 'no alerts' },
  )
  ALERT_WEBHOOK?: string;

  @TextSetting(
    'OTLP collector that traces of completions are sent to, e.g. http://127.0.0.1:4318, over HTTP as JSON.',
    { ...FIXED, unset: 'no traces, and nothing of OpenTelemetry is loaded' },
  )
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  @TextSetting('Headers for the collector: name=value, separated by commas.', FIXED_SECRET)
  OTEL_EXPORTER_OTLP_HEADERS = '';

  @TextSetting('Name of this gateway in traces.', { restart: true })
  OTEL_SERVICE_NAME = 'chat-completion-gateway';

  // Whoever may change them chooses who reads what goes out. Programs know them in small letters too.
  @TextSetting('HTTP proxy to https:// URLs, e.g. http://proxy.example:3128; also https_proxy.', PROXY)
  HTTPS_PROXY?: string;

  @TextSetting('HTTP proxy to http:// URLs; also http_proxy.', PROXY)
  HTTP_PROXY?: string;

  @TextSetting(
    'Hosts reached without a proxy, besides this machine: names with their subdomains, addresses and ranges ' +
      '(10.0.0.0/8), each with a :port if need be, separated by commas; * for all; also no_proxy.',
    { environmentOnly: true },
  )
  NO_PROXY = '';

  // Whoever may change it can take the key of a gateway away that everybody reaches.
  @BooleanSetting('Allows a listener beyond loopback without API_KEY and API_KEYS.', FIXED)
  ALLOW_UNAUTHENTICATED = false;

  @IntegerSetting('How long a stopping gateway goes on serving, not ready, until balancers notice.', {
    max: HOUR_MS,
  })
  SHUTDOWN_DELAY_MS = 0;

  @IntegerSetting('How long running answers may go on once the listener is closed.', { max: HOUR_MS })
  DRAIN_MS = 10_000;

  /** Replaces the built-in models; in `config.json` only, since it is a table (see `model-table.ts`). */
  @Allow()
  models?: ModelTable;
}
