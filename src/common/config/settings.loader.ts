import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { modelTable } from './model-table.js';
import { settingInfos } from './setting.decorators.js';
import { Settings } from './settings.js';

export type SettingSource = 'default' | 'config' | 'environment';

/** All that is wrong with the configuration, one line each; the process must not start with it. */
export class SettingsError extends Error {
  override name = 'SettingsError';

  constructor(readonly problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

interface Source {
  readonly label: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Line of a key, where the source has lines. */
  lineOf(key: string): number | undefined;
}

/**
 * Reads the settings: defaults < `config.json` < `.env` < environment.
 * @param environment the process environment; the only other reader of it is `main.ts`
 * @param folder where `.env` and a relative `CONFIG_FILE` are looked up
 * @throws SettingsError naming every bad key
 */
export function loadSettings(environment: NodeJS.ProcessEnv, folder: string): Settings {
  const fromEnvironment = environmentSource(environment, folder);
  const file = (fromEnvironment.values.CONFIG_FILE as string | undefined) ?? new Settings().CONFIG_FILE;
  const fromFile = fileSource(resolve(folder, file), fromEnvironment.values.CONFIG_FILE !== undefined);
  const sources = [fromEnvironment, fromFile];

  const given = { ...fromFile.values, ...fromEnvironment.values };
  const settings = plainToInstance(Settings, given, { exposeDefaultValues: true });
  if (settings.PROVIDER === 'openai' && given.POOL_MAX_SESSIONS_PER_ACCOUNT === undefined) {
    settings.POOL_MAX_SESSIONS_PER_ACCOUNT = 64;
  }

  const problems = validateSync(settings, { whitelist: true, forbidNonWhitelisted: true }).map((error) => {
    const source = sources.find(({ values }) => Object.hasOwn(values, error.property));
    const line = source?.lineOf(error.property);
    const message = error.constraints?.whitelistValidation
      ? `${error.property} is not a setting`
      : Object.values(error.constraints ?? { unknown: `${error.property} is not valid` })[0];
    return `${message} (${source?.label ?? 'default'}${line === undefined ? '' : `, line ${line}`})`;
  });
  problems.push(...checkModels(settings), ...checkTogether(settings));
  if (problems.length > 0) {
    throw new SettingsError(problems);
  }
  return settings;
}

function environmentSource(environment: NodeJS.ProcessEnv, folder: string): Source {
  const values = { ...readDotEnv(resolve(folder, '.env')), ...environment };
  const known = settingInfos().flatMap(({ name }) => {
    // An empty variable means "not set": compose files and shells pass those on.
    const value = values[name];
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  return { label: 'environment', values: Object.fromEntries(known), lineOf: () => undefined };
}

function readDotEnv(path: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    if (isMissing(error)) {
      return {};
    }
    throw new SettingsError([`.env cannot be read: ${(error as Error).message}`]);
  }
}

function fileSource(path: string, mustExist: boolean): Source {
  const none: Source = { label: path, values: {}, lineOf: () => undefined };
  let text: string;
  try {
    text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    if (isMissing(error) && !mustExist) {
      return none;
    }
    throw new SettingsError([`CONFIG_FILE ${path} cannot be read: ${(error as Error).message}`]);
  }
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch (error) {
    throw new SettingsError([`CONFIG_FILE ${path} is not valid JSON: ${(error as Error).message}`]);
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw new SettingsError([`CONFIG_FILE ${path} must hold one JSON object`]);
  }
  return {
    label: path,
    values: values as Record<string, unknown>,
    lineOf: (key) => {
      const at = text.indexOf(JSON.stringify(key));
      return at < 0 ? undefined : text.slice(0, at).split('\n').length;
    },
  };
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function checkModels(settings: Settings): string[] {
  if (settings.models === undefined) {
    return [];
  }
  const result = modelTable.safeParse(settings.models);
  if (result.success) {
    settings.models = result.data;
    return Object.keys(result.data).length > 0 ? [] : ['models must name at least one model'];
  }
  return result.error.issues.map(({ path, message }) => `${['models', ...path].join('.')}: ${message}`);
}

/** Rules over more than one setting. */
function checkTogether(settings: Settings): string[] {
  const problems: string[] = [];
  const { HOST, API_KEY, PROVIDER } = settings;
  if (API_KEY === '' && !isLoopback(HOST) && !settings.ALLOW_UNAUTHENTICATED) {
    problems.push(
      `HOST ${HOST} is reachable from other machines but API_KEY is empty: set API_KEY, listen on 127.0.0.1, ` +
        'or set ALLOW_UNAUTHENTICATED=1 if something else authenticates callers',
    );
  }
  if (PROVIDER === 'web' && settings.SITE_RECIPE === undefined) {
    problems.push('SITE_RECIPE is needed with PROVIDER=web');
  }
  if (PROVIDER === 'openai' && !isHttpUrl(settings.UPSTREAM_BASE_URL)) {
    problems.push('UPSTREAM_BASE_URL must be an http or https URL with PROVIDER=openai');
  }
  if (settings.BROWSER_WS_ENDPOINT !== undefined && !/^wss?:\/\//.test(settings.BROWSER_WS_ENDPOINT)) {
    problems.push('BROWSER_WS_ENDPOINT must begin with ws:// or wss://');
  }
  return problems;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

function isHttpUrl(url: string | undefined): boolean {
  return url !== undefined && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
