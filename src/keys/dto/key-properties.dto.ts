import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
} from 'class-validator';
import { MAX_MODEL_CHARS } from '../../common/config/model-table.js';
import { KEY_ROLES, type KeyRole } from '../../common/http/access/caller-key.js';
import { type KeyProperties, NO_LIMITS, PRIORITIES, type Priority } from '../access-key.js';
import { LimitField, OrNull } from './key-rules.js';

const LAST_TIME = 8_640_000_000_000_000;
const TIME_MESSAGE = '$property must be a Unix time in milliseconds, or null';
const MODELS_MESSAGE = '$property must be a list of 1 to 100 model ids, or null';

/** Properties of a key in a body; a property that is left out stays as it is, or has its default. */
export class KeyPropertiesDto {
  static readonly refusesUnknown = true;

  @IsOptional()
  @IsIn(KEY_ROLES, { message: `$property must be one of ${KEY_ROLES.join(', ')}` })
  role?: KeyRole;

  @OrNull()
  @IsArray({ message: MODELS_MESSAGE })
  @ArrayMinSize(1, { message: MODELS_MESSAGE })
  @ArrayMaxSize(100, { message: MODELS_MESSAGE })
  @IsString({ each: true, message: MODELS_MESSAGE })
  @Length(1, MAX_MODEL_CHARS, { each: true, message: MODELS_MESSAGE })
  models?: string[] | null;

  @LimitField(10_000)
  requestsPerMinute?: number | null;

  @LimitField(100_000)
  concurrentRequests?: number | null;

  @LimitField(1_000_000_000_000)
  tokensPerDay?: number | null;

  @IsOptional()
  @IsIn(PRIORITIES, { message: `$property must be one of ${PRIORITIES.join(', ')}` })
  priority?: Priority;

  @IsOptional()
  @IsBoolean({ message: '$property must be true or false' })
  isEnabled?: boolean;

  @OrNull()
  @IsInt({ message: TIME_MESSAGE })
  @Min(0, { message: TIME_MESSAGE })
  @Max(LAST_TIME, { message: TIME_MESSAGE })
  expiresAt?: number | null;
}

const DEFAULTS: KeyProperties = {
  role: 'caller',
  models: null,
  ...NO_LIMITS,
  priority: 'interactive',
  isEnabled: true,
  expiresAt: null,
};

/** The properties that a body names. For these three null means nothing, so it counts as left out. */
export function namedProperties(dto: KeyPropertiesDto): Partial<KeyProperties> {
  const named = Object.keys(DEFAULTS)
    .map((name) => [name, dto[name as keyof KeyProperties]] as const)
    .filter(([name, value]) => value !== undefined && (value !== null || !NEVER_NULL.has(name)));
  return Object.fromEntries(named);
}

const NEVER_NULL: ReadonlySet<string> = new Set(['role', 'priority', 'isEnabled']);

export function allProperties(dto: KeyPropertiesDto): KeyProperties {
  return { ...DEFAULTS, ...namedProperties(dto) };
}
