/**
 * @typedef {import('../../src/common/config/setting.decorators.js').SettingInfo & {default: unknown}} Setting
 */

const UNITS = ['b', 'kb', 'mb', 'gb'];

/** A `.env` that explains every setting and sets none. */
export function dotEnvExample(settings) {
  const entries = settings.map(
    (setting) =>
      `# ${[setting.about, ...notes(setting)].join(' ')}\n#${setting.name}=${fixedDefault(setting) ?? ''}\n`,
  );
  return [
    '# Copy this file to .env, and remove the # before a setting to change it. What is set in the environment wins over\n' +
      '# this file, and this file over config.json. Times are milliseconds. A value with a # in it needs quotes around it.\n' +
      '# Written by `npm run docs:settings`.\n',
    ...entries,
  ].join('\n');
}

/** A `config.json` of the defaults; `null` stands for a key that is left out. */
export function jsonExample(settings) {
  const entries = settings
    .filter(({ environmentOnly }) => !environmentOnly)
    .flatMap((setting) => {
      const value = fixedDefault(setting);
      return [
        [`// ${setting.name}`, [setting.about, ...notes(setting)].join(' ')],
        [setting.name, setting.kind === 'size' ? value : value === undefined ? null : setting.default],
      ];
    });
  return JSON.stringify(Object.fromEntries(entries), null, 2);
}

/** A table of all settings. */
export function markdownTable(settings) {
  const rows = settings.map((setting) => {
    const value = fixedDefault(setting);
    const shown = value === undefined ? (setting.unset ?? '–') : value === '' ? 'empty' : `\`${value}\``;
    return `| \`${setting.name}\` | ${shown} | ${[setting.about, ...range(setting), ...place(setting)].join(' ')} |`;
  });
  return ['| setting | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The default as text; undefined if it is not one fixed value. */
function fixedDefault({ default: value, unset, kind }) {
  if (value === undefined || unset !== undefined) {
    return undefined;
  }
  return kind === 'size' ? inUnits(value) : String(value);
}

function inUnits(bytes) {
  let unit = 0;
  while (unit < UNITS.length - 1 && bytes > 0 && bytes % 1024 === 0) {
    bytes /= 1024;
    unit += 1;
  }
  return bytes === 0 ? '0' : `${bytes}${UNITS[unit]}`;
}

function notes(setting) {
  return [...range(setting), ...(setting.unset ? [`If not set: ${setting.unset}.`] : []), ...place(setting)];
}

function range({ kind, choices, min, max }) {
  if (choices) {
    return [`One of ${choices.join(', ')}.`];
  }
  if (kind === 'size') {
    return [`From ${inUnits(min)} to ${inUnits(max)}.`];
  }
  return kind === 'integer' ? [`From ${min} to ${max}.`] : [];
}

/** Where it has to be set, if it cannot be changed over HTTP. */
function place({ editable, environmentOnly }) {
  if (environmentOnly) {
    return ['Set in the environment only.'];
  }
  return editable ? [] : ['Set in file or environment only.'];
}
