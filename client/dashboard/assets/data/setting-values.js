const UNITS = ['', 'kb', 'mb', 'gb'];

/** Groups of settings by what their names begin with, in the order in which they are shown. */
const GROUPS = [
  ['Listener', /^(PORT|HOST|API_KEY|ALLOW|BODY_LIMIT|DRAIN_)/],
  ['Upstream', /^(PROVIDER|SITE_|UPSTREAM_|TOOL_MODE)/],
  ['Accounts and retries', /^(RATE_LIMIT_|RETRY_)/],
  ['Session pool', /^POOL_/],
  ['Answers', /^(HEARTBEAT_|STREAM_|DEFAULT_|TOOL_|ECHO_)/],
  ['Log', /^LOG_/],
  ['Browser', /^BROWSER_/],
  ['Storage', /^(DATA_|CONFIG_|SECRET_)/],
];

/**
 * Puts settings into groups, in their own order within each. One that fits nowhere is under "Other".
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

/** A value as it stands in its field; sizes in the largest unit that fits evenly. */
export function toFieldText(kind, value) {
  if (value === null || value === undefined) {
    return '';
  }
  return kind === 'size' && typeof value === 'number' ? sizeText(value) : String(value);
}

/** What a field holds, as the gateway takes it; an empty field goes back to the default. */
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

/** A value in words, for a line of text. */
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
 * What others changed since a form was filled in.
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
