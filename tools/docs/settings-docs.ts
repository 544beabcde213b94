import { type SettingInfo, settingInfos } from '../../src/common/config/setting.decorators.js';
import { Settings } from '../../src/common/config/settings.js';

type Setting = SettingInfo & { readonly default: string | number | boolean | undefined };

const UNITS = ['b', 'kb', 'mb', 'gb'];
const DEFAULTS = new Settings();
const SETTINGS: readonly Setting[] = settingInfos().map((info) => ({
  ...info,
  default: DEFAULTS[info.name as keyof Settings] as Setting['default'],
}));

/** A `.env` that explains every setting and sets none. */
export function dotEnvExample(): string {
  const entries = SETTINGS.map(
    (setting) =>
      `# ${[setting.about, ...notes(setting)].join(' ')}\n#${setting.name}=${fixedDefault(setting) ?? ''}\n`,
  );
  return [
    '# Copy this file to .env, and remove the # before a setting to change it. What is set in the environment wins over\n' +
      '# this file, and this file over config.json. Times are milliseconds. A value with a # in it needs quotes around it.\n' +
      '# Written by `npm run docs`.\n',
    ...entries,
  ].join('\n');
}

/** A `config.json` of the defaults; `null` stands for a key that is left out. */
export function jsonExample(): string {
  const entries = SETTINGS.filter(({ environmentOnly }) => !environmentOnly).flatMap((setting) => {
    const value = fixedDefault(setting);
    return [
      [`// ${setting.name}`, [setting.about, ...notes(setting)].join(' ')],
      [setting.name, setting.kind === 'size' ? value : value === undefined ? null : setting.default],
    ];
  });
  return JSON.stringify(Object.fromEntries(entries), null, 2);
}

/** A table of all settings. */
export function settingTable(): string {
  const rows = SETTINGS.map((setting) => {
    const value = fixedDefault(setting);
    const shown = value === undefined ? (setting.unset ?? '–') : value === '' ? 'empty' : `\`${value}\``;
    return `| \`${setting.name}\` | ${shown} | ${[setting.about, ...range(setting), ...place(setting)].join(' ')} |`;
  });
  return ['| setting | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The default as text; undefined if it is not one fixed value. */
function fixedDefault({ default: value, unset, kind }: Setting): string | undefined {
  if (value === undefined || unset !== undefined) {
    return undefined;
  }
  return kind === 'size' ? inUnits(value as number) : String(value);
}

function inUnits(bytes: number): string {
  let unit = 0;
  while (unit < UNITS.length - 1 && bytes > 0 && bytes % 1024 === 0) {
    bytes /= 1024;
    unit += 1;
  }
  return bytes === 0 ? '0' : `${bytes}${UNITS[unit]}`;
}

function notes(setting: Setting): string[] {
  return [...range(setting), ...(setting.unset ? [`If not set: ${setting.unset}.`] : []), ...place(setting)];
}

function range({ kind, choices, min = 0, max = 0 }: Setting): string[] {
  if (choices) {
    return [`One of ${choices.join(', ')}.`];
  }
  if (kind === 'size') {
    return [`From ${inUnits(min)} to ${inUnits(max)}.`];
  }
  return kind === 'integer' ? [`From ${min} to ${max}.`] : [];
}

/** Where it has to be set, if it cannot be changed over HTTP. */
function place({ editable, environmentOnly }: Setting): string[] {
  if (environmentOnly) {
    return ['Set in the environment only.'];
  }
  return editable ? [] : ['Set in file or environment only.'];
}
