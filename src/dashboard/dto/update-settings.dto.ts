import { ValidateBy } from 'class-validator';

/** Body of `PATCH /dashboard/api/settings`. */
export class UpdateSettingsDto {
  /** New value by name of the setting; `null` goes back to the default. The settings' own rules check the values. */
  @ValidateBy({
    name: 'isObject',
    validator: {
      validate: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      defaultMessage: () => '$property must be an object of settings by name',
    },
  })
  values!: Readonly<Record<string, unknown>>;
}
