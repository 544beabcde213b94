import { capital, duration } from './format.js';

const UNITS = ['', 'kb', 'mb', 'gb'];

/** Groups of settings by the prefix of their names, in display order. */
const GROUPS = [
  ['Listener', /^(PORT|HOST|API_KEY|ALLOW|MAX_CONN|WRONG_KEYS|BODY_LIMIT|SHUTDOWN_|DRAIN_)/],
  ['Upstream', /^(PROVIDER|SITE_|UPSTREAM_|TOOL_MODE)/],
  ['Accounts and retries', /^(RATE_LIMIT_|RETRY_|WAIT_FOR_)/],
  ['Session pool', /^POOL_/],
  ['Answers', /^(HEARTBEAT_|STREAM_|DEFAULT_|TOOL_|ECHO_|RESPONSE_)/],
  ['Log', /^(LOG_|RECORD_)/],
  ['Browser', /^BROWSER_/],
  ['Alerts and traces', /^(ALERT_|OTEL_)/],
  ['Several gateways', /^(DATABASE_|NODE_)/],
  ['Proxies', /_PROXY$/],
  ['Storage', /^(DATA_|CONFIG_|SECRET_)/],
];

/**
 * Groups settings, keeping their order within each group. Unmatched ones are under "Other".
 *
 * @template {{ name: string }} T
 * @param {readonly T[]} settings
 * @returns {{ title: string, settings: T[] }[]} without empty groups
 */
export function groupSettings(settings) {
  const groups = new Map([...GROUPS.map(([title]) => title), 'Other'].map((title) => [title, []]));
  for (const setting of settings) {
    const [title] = GROUPS.find(([, pattern]) => pattern.test(setting.name)) ?? ['Other'];
    groups.get(title).push(setting);
  }
  return [...groups]
    .map(([title, list]) => ({ title, settings: list }))
    .filter((group) => group.settings.length > 0);
}

/** Words of setting names that are not written like others; those that are units are shown by the values. */
const WORDS = {
  MS: '',
  API: 'API',
  URL: 'URL',
  HTTP: 'HTTP',
  HTTPS: 'HTTPS',
  WS: 'WebSocket',
  OTEL: 'OpenTelemetry',
  OTLP: 'OTLP',
};

/** A setting's name for people: `RATE_LIMIT_COOLDOWN_MS` is `Rate limit cooldown`. */
export function settingTitle(name) {
  const words = name.split('_').map((word) => WORDS[word] ?? word.toLowerCase());
  return capital(words.filter((word) => word !== '').join(' '));
}

/** The milliseconds of an input's text as people say them: `= 2 min`; '' of all that is below a second, and of others. */
export function durationWords(name, text) {
  const ms = Number(text);
  return name.endsWith('_MS') && /^\s*\d{4,15}\s*$/.test(text) ? `= ${duration(ms)}` : '';
}

/** Text of a value in its input; sizes in the largest unit that divides them. */
export function toFieldText(kind, value) {
  if (value === null || value === undefined) {
    return '';
  }
  return kind === 'size' && typeof value === 'number' ? sizeText(value) : String(value);
}

/** Value of an input's text for the API; null, which means the default, if it is empty. */
export function fromFieldText(kind, text) {
  const trimmed = text.trim();
  if (trimmed === '') {
    return null;
  }
  if (kind === 'boolean') {
    return trimmed === 'true';
  }
  return kind === 'integer' && /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : trimmed;
}

/** A value as text for a sentence; never that of a secret. */
export function valueText({ kind, secret, unset }, value) {
  if (secret) {
    return value === null ? 'not set' : 'set';
  }
  if (value === null || value === '') {
    return unset ?? 'empty';
  }
  return toFieldText(kind, value);
}

/**
 * Settings changed elsewhere since a form was filled in.
 *
 * @returns {{ name: string, before: string, after: string }[]}
 */
export function changesBetween(before, after) {
  const old = new Map(before.map((setting) => [setting.name, setting]));
  return after.flatMap((setting) => {
    const was = old.get(setting.name);
    const isSame =
      was && was.value === setting.value && was.isSet === setting.isSet && was.source === setting.source;
    return isSame ? [] : [{ name: setting.name, before: was ? shown(was) : '', after: shown(setting) }];
  });
}

function shown(setting) {
  return valueText(setting, setting.secret ? (setting.isSet ? true : null) : setting.value);
}

function sizeText(bytes) {
  let value = bytes;
  let unit = 0;
  while (value > 0 && value % 1024 === 0 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value}${UNITS[unit]}`;
}
