import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Matches, Max, Min, ValidateIf } from 'class-validator';
import { toInteger } from '../text/integer.js';

/** Description of a setting, for the settings page and the documentation. */
export interface SettingInfo {
  readonly name: string;
  readonly kind: 'integer' | 'size' | 'boolean' | 'text' | 'choice';
  /** One sentence for operators: meaning and unit. */
  readonly about: string;
  /** Whether a change takes effect at the next start only; default: at once. */
  readonly restart: boolean;
  /** Whether the value must never be shown. */
  readonly secret: boolean;
  /** False if it can never be changed over HTTP, not even by the holder of the key. */
  readonly editable: boolean;
  /** Whether it has no place in the configuration file: it says where the others are. */
  readonly environmentOnly: boolean;
  /** Meaning of an unset value, where that is not one fixed value. */
  readonly unset?: string;
  readonly defaultFor?: ProviderDefaults;
  readonly choices?: readonly string[];
  readonly min?: number;
  readonly max?: number;
}

/** Defaults for values of PROVIDER; `else` is that of the others, and of the field. */
type ProviderDefaults = Readonly<Record<string, number> & { else: number }>;

interface SettingOptions {
  readonly restart?: boolean;
  readonly secret?: boolean;
  readonly editable?: boolean;
  readonly environmentOnly?: boolean;
  readonly unset?: string;
}

interface RangeOptions extends SettingOptions {
  readonly min?: number;
  /** The largest value that can make sense; a larger one is a typing error, or an attack. */
  readonly max: number;
}

interface IntegerOptions extends RangeOptions {
  /** In place of `unset`. */
  readonly defaultFor?: ProviderDefaults;
}

/** A decorator of a property that holds a `T`. */
type DecoratorFor<T> = <K extends string>(target: { readonly [name in K]?: T }, name: K) => void;

const registry = new Map<string, SettingInfo>();

/** All settings, in the order of their declaration. */
export function settingInfos(): readonly SettingInfo[] {
  return [...registry.values()];
}

/**
 * A whole number within a range, by default from 0; may be unset if `unset` is given. Milliseconds must stay below 2^31, or
 * timers would fire at once.
 */
export function IntegerSetting(about: string, options: IntegerOptions): PropertyDecorator {
  const { min = 0, max, defaultFor } = options;
  const message = `$property must be an integer from ${min} to ${max}`;
  return applyDecorators(
    describe({
      kind: 'integer',
      about,
      min,
      max,
      ...flags(options),
      ...(defaultFor && { defaultFor, unset: eachDefault(defaultFor) }),
    }),
    ...(options.unset === undefined ? [] : [ValidateIf((_settings, value) => value !== undefined)]),
    Transform(({ value }) => toInteger(typeof value === 'string' ? value.trim() : value)),
    IsInt({ message }),
    Min(min, { message }),
    Max(max, { message }),
  );
}

/** Bytes: a number, or text such as `32mb` (units b, kb, mb, gb, powers of 1024). */
export function SizeSetting(about: string, options: RangeOptions): PropertyDecorator {
  const { min = 1, max } = options;
  const message = `$property must be a size from ${sizeText(min)} to ${sizeText(max)}, such as 512kb or 32mb`;
  return applyDecorators(
    describe({ kind: 'size', about, min, max, ...flags(options) }),
    Transform(({ value }) => parseSize(value) ?? (value as unknown)),
    IsInt({ message }),
    Min(min, { message }),
    Max(max, { message }),
  );
}

/** `true`, `false`, `1` or `0`. */
export function BooleanSetting(about: string, options: SettingOptions = {}): PropertyDecorator {
  return applyDecorators(
    describe({ kind: 'boolean', about, ...flags(options) }),
    Transform(({ value }) => parseBoolean(value) ?? (value as unknown)),
    IsBoolean({ message: '$property must be true or false' }),
  );
}

/** A text without control characters, so of one line. */
export function TextSetting(about: string, options: SettingOptions = {}): PropertyDecorator {
  const message = '$property must be a text of one line';
  return applyDecorators(
    describe({ kind: 'text', about, ...flags(options) }),
    IsOptional(),
    IsString({ message }),
    Matches(/^\P{Cc}*$/u, { message }),
  );
}

/** One of a list of texts. Where one of them is `true`, JSON's own word counts as well. */
export function ChoiceSetting<T extends string>(
  about: string,
  choices: readonly T[],
  options: SettingOptions = {},
): DecoratorFor<T> {
  return applyDecorators(
    describe({ kind: 'choice', about, choices, ...flags(options) }),
    IsOptional(),
    Transform(({ value }) => (typeof value === 'boolean' ? String(value) : (value as unknown))),
    IsIn(choices, { message: `$property must be one of ${choices.join(', ')}` }),
  );
}

function flags(options: SettingOptions): Omit<SettingInfo, 'name' | 'kind' | 'about'> {
  const { secret = false, environmentOnly = false, unset } = options;
  const { restart = environmentOnly, editable = !environmentOnly } = options;
  return { restart, secret, editable, environmentOnly, ...(unset !== undefined && { unset }) };
}

function eachDefault({ else: other, ...named }: ProviderDefaults): string {
  const ofProviders = Object.entries(named).map(([provider, value]) => `${value} with PROVIDER=${provider}`);
  return [...ofProviders, `else ${other}`].join(', ');
}

function describe(info: Omit<SettingInfo, 'name'>): PropertyDecorator {
  return (_target, key) => {
    registry.set(String(key), { name: String(key), ...info });
  };
}

const UNITS: Readonly<Record<string, number>> = { b: 1, kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30 };

/** A size in its largest unit that leaves a whole number. */
function sizeText(bytes: number): string {
  const [unit = 'b', size = 1] = Object.entries(UNITS).findLast(([, of]) => bytes % of === 0) ?? [];
  return `${bytes / size}${unit}`;
}

function parseSize(value: unknown): number | undefined {
  if (typeof value !== 'string') {
    return undefined;
  }
  const match = /^(\d{1,12})\s*(b|kb|mb|gb)?$/i.exec(value.trim());
  const unit = UNITS[match?.[2]?.toLowerCase() ?? 'b'];
  return match && unit ? Number(match[1]) * unit : undefined;
}

function parseBoolean(value: unknown): boolean | undefined {
  if (value === 'true' || value === '1') {
    return true;
  }
  return value === 'false' || value === '0' ? false : undefined;
}
