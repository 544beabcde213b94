import { resolve } from 'node:path';
import { ConfigModule, type ConfigModuleOptions } from '@nestjs/config';
import { type LeftOut, SettingsError } from './settings.errors.js';
import { Settings } from './settings.js';
import { resolveSettings, withoutForeign } from './settings-resolver.js';
import {
  dotEnvSource,
  environmentSource,
  jsonSource,
  readText,
  type SettingsSource,
} from './settings-sources.js';

/** Sources of the settings: all that is needed to change them later. */
export interface SettingsOrigin {
  /** The environment and `.env`, the stronger first: above the file for as long as the process lives. */
  readonly environment: readonly SettingsSource[];
  /** Absolute path of `CONFIG_FILE`; the file need not exist. */
  readonly file: string;
}

/** The validated record that ConfigService holds; `SettingsModule` makes its members injectable. */
export interface LoadedSettings {
  readonly settings: Settings;
  readonly origin: SettingsOrigin;
  /** What the file has of other gateways and cannot be used here. */
  readonly leftOut?: readonly LeftOut[];
}

/** Options for `ConfigModule.forRoot`. */
export interface SettingsConfig extends ConfigModuleOptions {
  /** @param dotEnv values that ConfigModule read in `.env` */
  readonly validate: (dotEnv: NodeJS.Dict<string>) => LoadedSettings & Record<string, unknown>;
}

/**
 * One process may hold many gateways with settings of their own. So the environment is an argument, and ConfigModule
 * neither reads `process.env` nor writes to it: it copies texts and numbers there, but no objects, and `LoadedSettings`
 * has nothing else.
 */
const APART_FROM_PROCESS = { isGlobal: true, validatePredefined: false, skipProcessEnv: true } as const;

/**
 * Settings from their sources: defaults < `config.json` < `.env` < environment. ConfigModule reads `.env`; `validate`
 * throws a SettingsError that names every bad key and its place.
 * @param environment the process environment
 * @param folder base path of `.env` and of a relative `CONFIG_FILE`
 * @throws SettingsError if `.env` exists and cannot be read
 */
export function settingsFromEnvironment(environment: NodeJS.ProcessEnv, folder: string): SettingsConfig {
  const path = resolve(folder, '.env');
  // ConfigModule knows no lines, and the error it passes on for a file that cannot be read names no file.
  const text = readText(path, '.env') ?? '';
  return {
    ...APART_FROM_PROCESS,
    envFilePath: path,
    validate: (dotEnv) => load([environmentSource(environment), dotEnvSource(path, text, dotEnv)], folder),
  };
}

/**
 * The settings as the gateway would find them, for scripts. Loading an application would take 0.3 s of processor time
 * more.
 * @throws SettingsError naming every bad key
 */
export async function loadSettings(environment: NodeJS.ProcessEnv, folder: string): Promise<Settings> {
  return (await loadWithOrigin(environment, folder)).settings;
}

/** As `loadSettings`, with all that is needed to change them. */
export async function loadWithOrigin(
  environment: NodeJS.ProcessEnv,
  folder: string,
): Promise<LoadedSettings> {
  const config = settingsFromEnvironment(environment, folder);
  const { promise, resolve: keep } = Promise.withResolvers<LoadedSettings>();
  await ConfigModule.forRoot({
    ...config,
    validate: (dotEnv) => {
      const loaded = config.validate(dotEnv);
      keep(loaded);
      return loaded;
    },
  });
  return promise;
}

/**
 * Settings that were put together by code, as in tests.
 * @param origin default: values that differ from the defaults count as set in the environment
 */
export function settingsFromCode(settings: Settings, origin = fixedOrigin(settings)): SettingsConfig {
  return { ...APART_FROM_PROCESS, ignoreEnvFile: true, validate: () => ({ settings, origin }) };
}

/** The origin of settings that were put together by code: values that differ from the defaults cannot be changed. */
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

/** @throws SettingsError */
function load(
  environment: readonly SettingsSource[],
  folder: string,
): LoadedSettings & Record<string, unknown> {
  const configFile = environment.find(({ values }) => Object.hasOwn(values, 'CONFIG_FILE'))?.values
    .CONFIG_FILE;
  const file = resolve(folder, (configFile as string | undefined) ?? new Settings().CONFIG_FILE);
  const usable = withoutForeign({ environment, file: jsonSource(file) });
  const { settings, problems } = resolveSettings({ environment, file: usable.file });
  if (problems.length > 0) {
    throw new SettingsError(problems.map(({ text, place }) => (place ? `${text} (${place})` : text)));
  }
  return { settings, origin: { environment, file }, leftOut: usable.leftOut };
}
