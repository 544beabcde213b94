import { ValidateBy } from 'class-validator';
import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';

/** Body of `PATCH /dashboard/api/settings`. */
export class UpdateSettingsDto {
  /** New values by setting; null restores the default. Validated by the rules of the settings, not here. */
  @ValidateBy({
    name: 'isObject',
    validator: {
      validate: isJsonObject,
      defaultMessage: () => '$property must be an object of settings by name',
    },
  })
  values!: JsonObject;
}
