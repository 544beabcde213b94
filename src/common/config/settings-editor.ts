import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Logger } from '@nestjs/common';
import { Subject } from 'rxjs';
import { GatewayError, InternalError, InvalidRequestError } from '../errors/gateway.errors.js';
import { writeFileAtomically } from '../files/atomic-file.js';
import { OWNER_ONLY_FILE } from '../files/private-path.js';
import { changeJsonText, versionOf } from './config-text.js';
import { settingInfos } from './setting.decorators.js';
import { type LeftOut, SettingsError, type SettingsProblem } from './settings.errors.js';
import { type Settings } from './settings.js';
import { type SettingsOrigin } from './settings-loader.js';
import {
  defaultSettings,
  type ResolvedSettings,
  resolveSettings,
  withoutForeign,
} from './settings-resolver.js';
import { checkTogether } from './settings-rules.js';
import { jsonTextSource, readText, type SettingsSource } from './settings-sources.js';
import { sharedSettingNames } from './shared-settings-names.js';

/** The settings that the next start would load. */
export interface SavedSettings extends Omit<ResolvedSettings, 'problems'> {
  /** Version of the file: a hash of its content. */
  readonly version: string;
  /** Whether the running gateway still uses another value: the change needs a restart, or was made by hand. */
  readonly isPending: (name: string) => boolean;
}

/**
 * Settings that name the receiver of a secret. Whoever has an operator's key may save settings, and could otherwise learn
 * the secret by redirecting it to a server of their own.
 */
const DESTINATIONS = [{ name: 'UPSTREAM_BASE_URL', secret: 'UPSTREAM_API_KEYS' }] as const;

/** System errors that say nothing of a file: the machine has run out of something, or its disk fails. */
const MACHINE_CODES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EIO']);

/**
 * Changes settings while the gateway runs: in `CONFIG_FILE`, and, unless they need a restart, in the injected
 * `Settings` object. Reading, checking and writing are synchronous, so that two changes cannot interleave.
 */
export class SettingsEditor {
  /** Emits after values have come into force. */
  readonly changes$ = new Subject<void>();
  private readonly logger = new Logger(SettingsEditor.name);

  constructor(
    private readonly settings: Settings,
    private readonly origin: SettingsOrigin,
  ) {}

  /** @throws GatewayError `configuration_invalid` if the file cannot be used as it is, `internal_error` if it cannot be read */
  read(): SavedSettings {
    const text = this.readFile();
    const saved = this.resolve(text);
    this.refuse(saved.problems);
    return this.describe(saved, text);
  }

  /**
   * @param changes value by name; `null` and an empty text go back to the default
   * @param isCurrent whether the caller has seen the given version, that of the file as it is now
   * @throws GatewayError `version_conflict`, `configuration_invalid`, `internal_error` if the file cannot be read or written
   * @throws InvalidRequestError that names the setting, e.g. `values.PORT`
   */
  save(changes: Readonly<Record<string, unknown>>, isCurrent: (version: string) => boolean): SavedSettings {
    const before = this.readFile();
    if (!isCurrent(versionOf(before))) {
      throw new GatewayError('version_conflict', 'The settings were changed meanwhile: read them again.');
    }
    const present = this.resolve(before);
    this.checkEditable(Object.keys(changes), present);
    checkFinite(changes);
    this.checkDestinations(changes, present);
    this.refuse(present.problems.filter(({ names }) => !names.some((name) => Object.hasOwn(changes, name))));

    return this.put(before, changeJsonText(before, toChanges(changes)), changes);
  }

  /** The values in the file that several gateways share. @throws GatewayError `configuration_invalid` */
  sharedValues(): Readonly<Record<string, unknown>> {
    const { values } = this.source(this.readFile());
    return Object.fromEntries(
      sharedSettingNames().flatMap((name) => (name in values ? [[name, values[name]]] : [])),
    );
  }

  /** Names of the settings that the environment decides, whatever the file says. */
  overridden(names: readonly string[]): readonly string[] {
    const { originOf } = this.resolve(this.readFile());
    return names.filter((name) => originOf(name) === 'environment');
  }

  /**
   * Takes the values that gateways share into the file and into force, in place of its own. Settings whose new values cannot
   * be used here, or not together with what the environment sets, stay as they are.
   * @returns what was left out, and why
   * @throws GatewayError as `save`, whatever is left out; then nothing has changed
   */
  adopt(shared: Readonly<Record<string, unknown>>): readonly LeftOut[] {
    const present = this.readFile();
    const { environment } = this.origin;
    // Throws for a text that is no configuration.
    const foreign = withoutForeign({ environment, file: this.source(present) });
    const own = foreign.file.values;
    const unset = foreign.leftOut.flatMap(({ names }) => names.map((name) => [name, null] as const));
    const before = changeJsonText(present, new Map(unset));
    const changes = new Map(sharedSettingNames().map((name) => [name, shared[name] ?? null]));
    const leftOut: LeftOut[] = [];
    for (;;) {
      const after = changeJsonText(before, changes);
      const { saved, problems } = this.check(after);
      const isToBlame = (name: string): boolean =>
        saved.originOf(name) !== 'environment' &&
        changes.has(name) &&
        !isDeepStrictEqual(own[name] ?? null, changes.get(name));
      const faults = problems
        .map(({ names, text }) => ({ names: names.filter(isToBlame), text }))
        .filter(({ names }) => names.length > 0);
      if (faults.length === 0) {
        this.put(present, after, {});
        return leftOut;
      }
      leftOut.push(...faults);
      faults.forEach(({ names }) => names.forEach((name) => changes.delete(name)));
    }
  }

  /** The settings in a text of the file, and the problems that keep them from coming into force here. */
  private check(text: string | undefined) {
    const saved = this.resolve(text);
    const applied = this.applicable(saved);
    const invalid = new Set(saved.problems.flatMap(({ names }) => names));
    const problems = [...saved.problems, ...checkTogether({ ...this.settings, ...applied }, invalid)];
    return { saved, applied, problems };
  }

  /** @param changes settings that the caller changes; a problem of one is the caller's error */
  private put(before: string | undefined, after: string | undefined, changes: object): SavedSettings {
    const { saved, applied, problems } = this.check(after);
    this.refuse(problems, changes);
    if (after !== undefined && after !== before) {
      this.writeFile(after);
      this.logger.log({ names: Object.keys(changes) }, 'settings saved');
    }
    Object.assign(this.settings, applied);
    this.changes$.next();
    return this.describe(saved, after);
  }

  private describe(
    { settings, defaults, originOf }: ResolvedSettings,
    text: string | undefined,
  ): SavedSettings {
    const [running, next] = [new Map(Object.entries(this.settings)), new Map(Object.entries(settings))];
    return {
      settings,
      defaults,
      originOf,
      version: versionOf(text),
      isPending: (name) => running.get(name) !== next.get(name),
    };
  }

  private checkEditable(names: readonly string[], { originOf }: ResolvedSettings): void {
    const infos = new Map(settingInfos().map((info) => [info.name, info]));
    for (const name of names) {
      const info = infos.get(name);
      if (!info) {
        throw new InvalidRequestError(`${name} is not a setting.`, `values.${name}`);
      }
      if (!info.editable) {
        throw new InvalidRequestError(`${name} cannot be changed from here.`, `values.${name}`);
      }
      if (originOf(name) === 'environment') {
        throw new InvalidRequestError(
          `${name} is set in the environment, which wins over the file: change it there.`,
          `values.${name}`,
        );
      }
    }
  }

  private checkDestinations(
    changes: Readonly<Record<string, unknown>>,
    { originOf }: ResolvedSettings,
  ): void {
    for (const { name, secret } of DESTINATIONS) {
      if (Object.hasOwn(changes, name) && !Object.hasOwn(changes, secret) && originOf(secret) !== 'default') {
        throw new InvalidRequestError(
          `${name} says where ${secret} are sent: send those with it once more, or change it in the file.`,
          `values.${name}`,
        );
      }
    }
  }

  /** Blames the caller for a problem of a setting that it changes, and the file for every other one. */
  private refuse(problems: readonly SettingsProblem[], changes: object = {}): void {
    for (const { names, text } of problems) {
      const name = names.find((one) => Object.hasOwn(changes, one));
      if (name !== undefined) {
        throw new InvalidRequestError(`${text}.`, `values.${name}`);
      }
    }
    const [problem] = problems;
    if (problem) {
      throw this.unusable(problem.place === undefined ? problem.text : `${problem.text} (${problem.place})`);
    }
  }

  /** The values that take effect at once. Defaults are those of the running provider, not of the saved one. */
  private applicable({ settings, originOf }: ResolvedSettings): Partial<Settings> {
    const saved = new Map(Object.entries(settings));
    const defaults = new Map(Object.entries(defaultSettings(this.settings.PROVIDER)));
    const names = settingInfos().flatMap(({ name, restart }) => (restart ? [] : [name]));
    return Object.fromEntries(
      [...names, 'models'].map((name) => [name, (originOf(name) === 'default' ? defaults : saved).get(name)]),
    );
  }

  private resolve(text: string | undefined): ResolvedSettings {
    const { environment } = this.origin;
    return this.orUnusable(() => resolveSettings({ environment, file: this.source(text) }));
  }

  private source(text: string | undefined): SettingsSource {
    const name = basename(this.origin.file);
    return this.orUnusable(() => jsonTextSource(text, name, name));
  }

  private readFile(): string | undefined {
    const { file } = this.origin;
    return this.orUnusable(() => readText(file, basename(file)));
  }

  /** Replaces the target of a link, not the link; the file keeps its mode. */
  private writeFile(text: string): void {
    const { file } = this.origin;
    try {
      const exists = existsSync(file);
      const path = exists ? realpathSync(file) : file;
      const mode = exists ? statSync(path).mode & 0o777 : OWNER_ONLY_FILE;
      writeFileAtomically(path, Buffer.from(text), mode);
    } catch (error) {
      const { code = 'unknown error' } = error as NodeJS.ErrnoException;
      throw new InternalError(
        'local_resources',
        `${basename(file)} cannot be written (${code}); nothing was changed.`,
        { cause: error },
      );
    }
  }

  private orUnusable<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof SettingsError)) {
        throw error;
      }
      const problem = error.problems.join('; ');
      const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
      throw MACHINE_CODES.has(code)
        ? new InternalError('local_resources', `${problem}.`, { cause: error })
        : this.unusable(problem, error);
    }
  }

  private unusable(problem: string, cause?: Error): GatewayError {
    return new GatewayError(
      'configuration_invalid',
      `The configuration file was changed by hand, is left as it is, and cannot be used: ${problem}.`,
      { cause },
    );
  }
}

/** An empty text is "not set" wherever settings are read. */
function toChanges(values: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(values).map(([name, value]) => [name, value === '' ? null : value]));
}

/** JSON can write numbers that are too large for JavaScript (`1e999`), but has no word for infinity to store them with. */
function checkFinite(changes: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(changes)) {
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw new InvalidRequestError(`${name} is too large a number.`, `values.${name}`);
    }
  }
}
