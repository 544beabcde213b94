import { resolve } from 'node:path';
import { plainToInstance } from 'class-transformer';
import { type ValidationError, validateSync } from 'class-validator';
import { settingInfos } from './setting.decorators.js';
import { SettingsError } from './settings.errors.js';
import { checkModels, checkTogether } from './settings.rules.js';
import { dotEnvSource, environmentSource, jsonSource, type SettingsSource } from './settings.sources.js';
import { Settings } from './settings.js';

export { SettingsError };

export type SettingSource = 'default' | 'config' | 'environment';

/**
 * Reads the settings: defaults < `config.json` < `.env` < environment.
 * @param environment the process environment; the only other reader of it is `main.ts`
 * @param folder where `.env` and a relative `CONFIG_FILE` are looked up
 * @throws SettingsError naming every bad key
 */
export function loadSettings(environment: NodeJS.ProcessEnv, folder: string): Settings {
  const upper = [environmentSource(environment), dotEnvSource(resolve(folder, '.env'))];
  const configFile = upper.find(({ values }) => Object.hasOwn(values, 'CONFIG_FILE'))?.values.CONFIG_FILE;
  const file = jsonSource(
    resolve(folder, (configFile as string | undefined) ?? new Settings().CONFIG_FILE),
    configFile !== undefined,
  );

  const sources = [...upper, file];
  const given = Object.fromEntries(sources.toReversed().flatMap(({ values }) => Object.entries(values)));
  const settings = plainToInstance(Settings, given, { exposeDefaultValues: true });
  if (settings.PROVIDER === 'openai' && given.POOL_MAX_SESSIONS_PER_ACCOUNT === undefined) {
    settings.POOL_MAX_SESSIONS_PER_ACCOUNT = 64;
  }

  const errors = validateSync(settings);
  const problems = [
    ...unknownKeys(file),
    ...errors.map((error) => `${describe(error)} (${place(error.property, sources)})`),
    ...checkModels(settings).map((problem) => `${problem} (${place('models', sources)})`),
    ...checkTogether(settings, new Set(errors.map(({ property }) => property))),
  ];
  if (problems.length > 0) {
    throw new SettingsError(problems);
  }
  return settings;
}

/** Asked of the file itself: class-transformer silently drops names such as `constructor`. */
function unknownKeys(file: SettingsSource): string[] {
  const known = new Set(['models', ...settingInfos().map(({ name }) => name)]);
  return Object.keys(file.values).flatMap((key) => {
    if (key === 'CONFIG_FILE') {
      return [`CONFIG_FILE can be set in the environment only (${place(key, [file])})`];
    }
    return known.has(key) ? [] : [`${key} is not a setting (${place(key, [file])})`];
  });
}

function describe({ property, constraints = {} }: ValidationError): string {
  return Object.values(constraints)[0] ?? `${property} is not valid`;
}

/** Where the value in force was set. */
function place(key: string, sources: readonly SettingsSource[]): string {
  const source = sources.find(({ values }) => Object.hasOwn(values, key));
  const line = source?.lineOf(key);
  return `${source?.label ?? 'default'}${line === undefined ? '' : `, line ${line}`}`;
}
