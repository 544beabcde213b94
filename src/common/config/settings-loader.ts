import { resolve } from 'node:path';
import { SettingsError } from './settings.errors.js';
import { Settings } from './settings.js';
import { resolveSettings } from './settings-resolver.js';
import { dotEnvSource, environmentSource, jsonSource, type SettingsSource } from './settings-sources.js';

export { SettingsError };

/** What must be known to change settings later. */
export interface SettingsOrigin {
  /** What the environment and `.env` say: it wins over the file for as long as the process lives. */
  readonly environment: readonly SettingsSource[];
  /** Absolute path of `CONFIG_FILE`; there may be no such file. */
  readonly file: string;
}

/**
 * Reads the settings: defaults < `config.json` < `.env` < environment.
 * @param environment the process environment; the only other reader of it is `main.ts`
 * @param folder where `.env` and a relative `CONFIG_FILE` are looked up
 * @throws SettingsError naming every bad key
 */
export function loadSettings(environment: NodeJS.ProcessEnv, folder: string): Settings {
  return openSettings(environment, folder).settings;
}

/** As `loadSettings`, with what it takes to change them while the gateway runs. */
export function openSettings(
  environment: NodeJS.ProcessEnv,
  folder: string,
): { readonly settings: Settings; readonly origin: SettingsOrigin } {
  const upper = [environmentSource(environment), dotEnvSource(resolve(folder, '.env'))];
  const configFile = upper.find(({ values }) => Object.hasOwn(values, 'CONFIG_FILE'))?.values.CONFIG_FILE;
  const file = resolve(folder, (configFile as string | undefined) ?? new Settings().CONFIG_FILE);
  const { settings, problems } = resolveSettings({
    environment: upper,
    file: jsonSource(file, configFile !== undefined),
  });
  if (problems.length > 0) {
    throw new SettingsError(problems.map(({ text, place }) => (place ? `${text} (${place})` : text)));
  }
  return { settings, origin: { environment: upper, file } };
}

/** The origin of settings that were put together by code: whatever differs from the defaults stays as it is. */
export function fixedOrigin(settings: Settings, file = resolve(settings.CONFIG_FILE)): SettingsOrigin {
  const defaults = new Map(Object.entries(new Settings()));
  const values = Object.entries(settings).filter(
    ([name, value]) => value !== undefined && value !== defaults.get(name),
  );
  return {
    environment: [{ label: 'code', values: Object.fromEntries(values), lineOf: () => undefined }],
    file,
  };
}
