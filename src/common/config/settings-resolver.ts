import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { isStructure } from '../text/json-object.js';
import { parseModelTable } from './model-table.js';
import { settingInfos } from './setting.decorators.js';
import { type LeftOut, type SettingsProblem } from './settings.errors.js';
import { Settings } from './settings.js';
import { checkTogether } from './settings-rules.js';
import { type SettingsSource } from './settings-sources.js';
import { sharedSettingNames } from './shared-settings-names.js';

/** Source of the value in force; `.env` counts as the environment. */
export type SettingOrigin = 'default' | 'config' | 'environment';

/** The sources of settings above the defaults. */
export interface SettingsSources {
  /** Fixed while the gateway runs: the environment, then `.env`; the first one that sets a value wins. */
  readonly environment: readonly SettingsSource[];
  /** Content of `CONFIG_FILE`. */
  readonly file: SettingsSource;
}

export interface ResolvedSettings {
  readonly settings: Settings;
  /** The values without any source. */
  readonly defaults: Settings;
  readonly problems: readonly SettingsProblem[];
  readonly originOf: (name: string) => SettingOrigin;
}

/** Merges the sources, defaults < file < environment, and validates the result; reports all problems at once. */
export function resolveSettings({ environment, file }: SettingsSources): ResolvedSettings {
  const sources = [...environment, file];
  const given = Object.fromEntries(sources.toReversed().flatMap(({ values }) => Object.entries(values)));
  const settings = toSettings(given);
  const defaults = defaultSettings(settings.PROVIDER);
  const notGiven = Object.entries(defaults).filter(([name]) => given[name] === undefined);
  Object.assign(settings, Object.fromEntries(notGiven));
  const { models, problems: modelProblems } = parseModelTable(settings.models);
  settings.models = models;

  const errors = validateSync(settings);
  const problems = [
    ...unknownKeys(file),
    ...errors.map((error) => ({
      names: [error.property],
      text: describe(error),
      place: place(error.property, sources),
    })),
    ...modelProblems.map((text) => ({ names: ['models'], text, place: place('models', sources) })),
    ...checkTogether(settings, new Set(errors.map(({ property }) => property))).map((problem) =>
      problem.names.length > 1 ? { ...problem, place: places(problem.names, sources) } : problem,
    ),
  ];
  return {
    settings,
    defaults,
    problems,
    originOf: (name) => {
      if (environment.some(({ values }) => Object.hasOwn(values, name))) {
        return 'environment';
      }
      return Object.hasOwn(file.values, name) ? 'config' : 'default';
    },
  };
}

/**
 * Where gateways share a database, the file has what was saved on any of them: values there that break a rule together with
 * this one's environment must not keep it from starting.
 * @returns the file without them, and what was left out
 */
export function withoutForeign({ environment, file }: SettingsSources): {
  readonly file: SettingsSource;
  readonly leftOut: readonly LeftOut[];
} {
  const { settings, problems, originOf } = resolveSettings({ environment, file });
  const shared = new Set(sharedSettingNames());
  const leftOut = problems
    .filter(({ names }) => names.some((name) => originOf(name) === 'environment'))
    .map(({ names, text }) => ({
      names: names.filter((name) => shared.has(name) && originOf(name) === 'config'),
      text,
    }))
    .filter(({ names }) => names.length > 0);
  if (settings.DATABASE_URL === undefined || leftOut.length === 0) {
    return { file, leftOut: [] };
  }
  const names = new Set(leftOut.flatMap((one) => one.names));
  const values = Object.fromEntries(Object.entries(file.values).filter(([name]) => !names.has(name)));
  return { file: { ...file, values, lineOf: (name) => file.lineOf(name) }, leftOut };
}

/** The defaults for a provider. */
export function defaultSettings(provider: Settings['PROVIDER']): Settings {
  const ofProvider = settingInfos().flatMap(({ name, defaultFor }) =>
    defaultFor && Object.hasOwn(defaultFor, provider) ? [[name, defaultFor[provider]] as const] : [],
  );
  return Object.assign(new Settings(), Object.fromEntries(ofProvider));
}

/**
 * The settings as they are given. Objects and arrays go past class-transformer, which would call what they have as their
 * `constructor`; the validation refuses them for all settings but `models`.
 */
function toSettings(given: Readonly<Record<string, unknown>>): Settings {
  const entries = Object.entries(given);
  const plain = entries.filter(([, value]) => !isStructure(value));
  const structures = entries.filter(([name, value]) => isStructure(value) && knownNames().has(name));
  const settings = plainToInstance(Settings, Object.fromEntries(plain), { exposeDefaultValues: true });
  return Object.assign(settings, Object.fromEntries(structures));
}

function knownNames(): ReadonlySet<string> {
  return new Set(['models', ...settingInfos().map(({ name }) => name)]);
}

/** Looks at the file's own keys, since class-transformer silently drops names such as `constructor`. */
function unknownKeys(file: SettingsSource): SettingsProblem[] {
  const infos = settingInfos();
  const known = knownNames();
  return Object.keys(file.values).flatMap((key) => {
    const at = { names: [key], place: place(key, [file]) };
    if (infos.some(({ name, environmentOnly }) => environmentOnly && name === key)) {
      return [{ ...at, text: `${key} can be set in the environment only` }];
    }
    return known.has(key) ? [] : [{ ...at, text: `${key} is not a setting` }];
  });
}

function describe({ property, constraints = {} }: ValidationError): string {
  return Object.values(constraints)[0] ?? `${property} is not valid`;
}

/** Where each setting of a rule that is broken has its value from, but for the defaults. */
function places(names: readonly string[], sources: readonly SettingsSource[]): string {
  return names
    .filter((name) => sources.some(({ values }) => Object.hasOwn(values, name)))
    .map((name) => `${name}: ${place(name, sources)}`)
    .join('; ');
}

/** Source and line of the value in force. */
function place(key: string, sources: readonly SettingsSource[]): string {
  const source = sources.find(({ values }) => Object.hasOwn(values, key));
  const line = source?.lineOf(key);
  return `${source?.label ?? 'default'}${line === undefined ? '' : `, line ${line}`}`;
}
