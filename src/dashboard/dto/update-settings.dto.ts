import { ValidateBy } from 'class-validator';

/** Body of `PATCH /dashboard/api/settings`. */
export class UpdateSettingsDto {
  /** New values by setting; null restores the default. Validated by the rules of the settings, not here. */
  @ValidateBy({
    name: 'isObject',
    validator: {
      validate: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      defaultMessage: () => '$property must be an object of settings by name',
    },
  })
  values!: Readonly<Record<string, unknown>>;
}
